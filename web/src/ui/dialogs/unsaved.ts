/** Asks whether to discard what isn't saved; resolves to whether the user agrees. */
type Confirm = () => Promise<boolean>

const confirms = new Set<Confirm>()
let isDiscarding = false

/** Whether the user agreed to discard everything, so that the browser need not ask again. */
export const isDiscardingUnsaved = (): boolean => isDiscarding

/** @returns a function that ends it, once all is saved or the page was left */
export function registerUnsaved(confirm: Confirm): () => void {
  confirms.add(confirm)
  return () => {
    confirms.delete(confirm)
    if (confirms.size === 0) isDiscarding = false
  }
}

/** Asks about everything that isn't saved. For what ends the page in another way than by going to the next. */
export async function discardsUnsaved(): Promise<boolean> {
  for (const confirm of confirms) if (!(await confirm())) return false
  isDiscarding = confirms.size > 0
  return true
}

/** For a page whose user has signed out: the browser need not ask. */
export const discardUnsaved = (): void => {
  isDiscarding = true
}

/** The page stays after all. */
export const keepUnsaved = (): void => {
  isDiscarding = false
}
