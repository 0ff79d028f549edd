/** Uses what is cached at once, and the rest when it arrives. Not an async function: most requests find everything cached. */
export const onceFound = <Found, Result>(
  found: Found | Promise<Found>,
  use: (found: Found) => Result | Promise<Result>,
): Result | Promise<Result> => (found instanceof Promise ? found.then(use) : use(found))
