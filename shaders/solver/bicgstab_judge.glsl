/* Judges the residual that a step or an end of a cycle has left. Included after the arguments c, w, history and kept. */
void judge(real rr)
{
    course now = course_after(course(w.marked, w.since), rr, real(BICGSTAB_SHARE));
    w.marked = now.marked;
    w.since = w.fresh != 0 ? now.since : min(now.since, w.since);
    if (w.fresh != 0)
        count_iteration(c, history, kept, rr);
    w.fresh = 0;
    c.rr = rr;
    c.state = judged_state(c, c.iteration, rr, now, real(BICGSTAB_GROWTH), BICGSTAB_PATIENCE);
}
