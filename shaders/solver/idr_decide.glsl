/* Updates the state by the residual of a step or a cycle end. Included after the arguments c, w, history and kept. */
void decide(real rr)
{
    course now = course_after(course(w.marked, w.since), rr);
    w.marked = now.marked;
    w.since = now.since;
    if (w.fresh != 0)
        count_iteration(c, history, kept, rr);
    w.fresh = 0;
    c.rr = rr;
    c.state = course_state(c, c.iteration, rr, now, real(COURSE_GROWTH), IDR_PATIENCE);
}
