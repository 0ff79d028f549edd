/**
 * Result of a state machine's step: a pure function from a state, an event and the time to the next state and the
 * effects. Effects are data: the machine's owner, which has the child processes, files and timers, carries them out.
 */
export interface Step<State, Effect> {
  readonly state: State
  /** In the order in which to carry them out. */
  readonly effects: readonly Effect[]
}

/** A machine that stays as it is. */
export const unchanged = <State, Effect>(state: State): Step<State, Effect> => ({ state, effects: [] })

/** Continues from where a step led to. */
export function andThen<State, Effect>(
  { state, effects }: Step<State, Effect>,
  next: (state: State) => Step<State, Effect>,
): Step<State, Effect> {
  const after = next(state)
  return { state: after.state, effects: [...effects, ...after.effects] }
}
