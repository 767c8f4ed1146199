/* The rows of the identity. A program's text replaces this file at run time (src/operator/code.c). */
real row(uint i)
{
    return x.at[i];
}
