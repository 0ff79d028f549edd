import { demoTitles } from '../../../../server/src/shared/with-web/demo-cameras.ts'

const key = 'gatehouse-demo-notice'

/** Whether cameras can be the demo cameras: they have their names. The settings say it, but cost a request. */
export const mayBeDemo = (cameras: readonly { readonly name: string }[]): boolean =>
  cameras.length === demoTitles.length && demoTitles.every(([demo]) => cameras.some(({ name }) => name === demo))

/** Whether the notice was dismissed in this browser. */
export function isDismissed(): boolean {
  try {
    return localStorage.getItem(key) !== null
  } catch {
    return false
  }
}

export function dismiss(): void {
  try {
    localStorage.setItem(key, 'dismissed')
  } catch {
    // Without storage, the notice comes back when the page is loaded again.
  }
}
