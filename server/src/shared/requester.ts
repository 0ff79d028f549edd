/**
 * For whom work waits that is distributed fairly: keys from the outside in, each unique, for example a user and one of the
 * user's API tokens. First the users share the work, then what belongs to the same user shares that user's part.
 */
export type Requester = readonly string[]

/** The service's own work, all of it together. */
export const serviceItself: Requester = ['service']
