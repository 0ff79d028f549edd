import { useTexts } from '../i18n/texts.ts'

/** A function that says what an action is; one that this page doesn't know, by its name. */
export function useActionNames(): (action: string) => string {
  const names: Readonly<Partial<Record<string, string>>> = useTexts('access').access.actions
  return (action) => names[action] ?? action
}
