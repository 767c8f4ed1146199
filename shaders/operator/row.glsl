/* The rows of the identity. The text of a program takes the place of this file when it is compiled at run time
 * (src/operator/code.c). */
real row(uint i)
{
    return x.at[i];
}
