/* The ARGS of weigh.comp, which CMake has to find here. */
ARGS {
    values val;
    reals  x;
    uint   n;
};
