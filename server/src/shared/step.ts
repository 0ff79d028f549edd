/**
 * Result of a state machine's step: a pure function from a state, an event and the time to the next state and the
 * effects. Effects are data: the machine's owner, which has the child processes, files and timers, carries them out.
 */
export interface Step<State, Effect> {
  readonly state: State
  /** In the order in which to carry them out. */
  readonly effects: readonly Effect[]
}
