/**
 * Applies the newest of several choices, which can finish loading in another order.
 *
 * @param load rejects if it could not be fetched
 * @param apply is called only while its choice is the newest
 * @returns a function that chooses; rejects only for the newest choice, because the failure of an older one changes nothing
 */
export function newestChoice<Choice, Loaded>(
  load: (choice: Choice) => Promise<Loaded>,
  apply: (loaded: Loaded, choice: Choice) => void,
): (choice: Choice) => Promise<void> {
  let latest = 0
  return async (choice) => {
    latest += 1
    const own = latest
    try {
      const loaded = await load(choice)
      if (own === latest) apply(loaded, choice)
    } catch (error) {
      if (own === latest) throw error
    }
  }
}
