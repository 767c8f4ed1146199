/* Updates the state by the residual of a step or a cycle end. The last step of a cycle counts as an iteration only if
 * it ends the solve; otherwise the end of the cycle follows, and counts. Included after the arguments c, w, history
 * and kept. */
void decide(real rr, bool is_last_step)
{
    course now = course_after(course(w.marked, w.since), rr);
    w.marked = now.marked;
    w.since = w.fresh != 0 ? now.since : min(now.since, w.since);
    bool counts = w.fresh != 0;
    uint state = course_state(c, c.iteration + uint(counts), rr, now, real(COURSE_GROWTH), BICGSTAB_PATIENCE);
    if (counts || (is_last_step && state != STATE_RUNNING))
        count_iteration(c, history, kept, rr);
    w.fresh = 0;
    c.rr = rr;
    c.state = state;
}
