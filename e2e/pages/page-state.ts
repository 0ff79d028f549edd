import type { Page } from 'playwright-core'
import type { SeededService, Who } from '../seeded-service.ts'

/** A page in one of its states, and how to reach it. */
export interface PageState {
  /** Used in file names. */
  readonly name: string
  readonly who: Who
  /** Reaching it changes the service for other pages, so that no other page can be open. */
  readonly changesService?: boolean
  /** `reach` mocks responses, so that the page’s cache serves no other state. */
  readonly mocksLater?: boolean
  /** The service or its mocks let no other page be shown, so that it has to be loaded. */
  readonly ownLoad?: boolean
  /** `before` adds scripts to every later load, so that the tab can show no other state. */
  readonly ownTab?: boolean
  /** Relative to the gate's base URL. */
  readonly path: string
  /** Runs before the page is opened. */
  readonly before?: (page: Page, at: SeededService) => Promise<unknown>
  /** Brings the page into the state and waits for it. */
  readonly reach: (page: Page, at: SeededService) => Promise<unknown>
  /** Waits for the page that a desktop shows instead. */
  readonly onDesk?: (page: Page) => Promise<unknown>
}

export const heading = (name: string | RegExp) => (page: Page) =>
  page.getByRole('heading', { name, level: 1 }).waitFor()

export const heading2 = (name: string) => (page: Page) => page.getByRole('heading', { name, level: 2 }).waitFor()

export const text = (words: string | RegExp) => (page: Page) => page.getByText(words).first().waitFor()

export const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

export const dialog = (page: Page) => page.getByRole('dialog')

export type Step = (page: Page, at: SeededService) => Promise<unknown>

export const serialized =
  (...steps: readonly Step[]): Step =>
  async (page, at) => {
    for (const step of steps) await step(page, at)
  }

export const press = (name: string) => (page: Page) => button(page, name).click()

export const pressIn = (name: string) => (page: Page) => dialog(page).getByRole('button', { name, exact: true }).click()

export const recorded = (camera: string) => (page: Page) =>
  page.locator(`[data-recording="${camera}"][data-state="shown"]`).waitFor()

/** Pauses the video, since moving images differ each time. By keyboard, so that no pointer rests on the button. */
export async function paused(page: Page): Promise<void> {
  await button(page, 'Pause').waitFor()
  await page.keyboard.press('k')
  await button(page, 'Play').waitFor()
}
