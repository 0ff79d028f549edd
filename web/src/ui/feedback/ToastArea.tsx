import { lazy, Suspense, type ComponentType } from 'react'

interface Loaded {
  readonly default: ComponentType
}

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

/** Gives ToastArea the component that it renders. */
export const provideToasts = (toasts: ComponentType): void => provide({ default: toasts })
