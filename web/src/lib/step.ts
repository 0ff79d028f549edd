/**
 * Result of a state machine's step, for machines that a reducer isn't enough for: the effects are data, and the
 * machine's owner, which has the video element and the timers, carries them out.
 */
export interface Step<State, Effect> {
  readonly state: State
  /** In the order in which to carry them out. */
  readonly effects: readonly Effect[]
}

/** Continues from where a step led to. */
export function andThen<State, Effect>(
  { state, effects }: Step<State, Effect>,
  next: (state: State) => Step<State, Effect>,
): Step<State, Effect> {
  const after = next(state)
  return { state: after.state, effects: [...effects, ...after.effects] }
}
