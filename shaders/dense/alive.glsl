/* Whether an elimination goes on: the first word of its state is 0 (dense/pivot.h). */
bool eliminates(u32s state)
{
    return uvec2(state) == uvec2(0) || state.at[0] == 0;
}
