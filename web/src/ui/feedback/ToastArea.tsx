import { lazy, Suspense, type ComponentType } from 'react'

interface Loaded {
  readonly default: ComponentType
}

let clear = (): void => {}

/** Removes all toasts. */
export const clearToasts = (): void => clear()

let provide: (toasts: Loaded) => void
const provided = new Promise<Loaded>((resolve) => {
  provide = resolve
})
const Toasts = lazy(() => provided)

/** Renders toasts once a page that can show some has been loaded. Other pages don't load what draws them. */
export function ToastArea() {
  return (
    <Suspense>
      <Toasts />
    </Suspense>
  )
}

/** Gives ToastArea the component that it renders, and what removes all toasts. */
export function provideToasts(toasts: ComponentType, removeAll: () => void): void {
  clear = removeAll
  provide({ default: toasts })
}
