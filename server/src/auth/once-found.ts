/** Uses a cached value immediately, and any other when it arrives. Not an async function: most requests find everything cached. */
export const onceFound = <Found, Result>(
  found: Found | Promise<Found>,
  use: (found: Found) => Result | Promise<Result>,
): Result | Promise<Result> => (found instanceof Promise ? found.then(use) : use(found))
