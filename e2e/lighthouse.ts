import lighthouse, { desktopConfig } from 'lighthouse'
import type { Browser } from 'playwright-core'
import { launch } from './browser.ts'
import { freePort } from '../server/test/support/free-port.ts'

export type Category = 'performance' | 'accessibility' | 'best-practices'

export interface Report {
  /** 0 to 100. */
  readonly scores: Readonly<Partial<Record<Category, number>>>
  /** Audits that lost points, one line each. */
  readonly lost: readonly string[]
  /** Largest contentful paint, milliseconds, as simulated for the device. */
  readonly largestPaint: number
  /** Total blocking time, milliseconds. */
  readonly blocked: number
}

interface Cookie {
  readonly name: string
  readonly value: string
  readonly url: string
}

export interface Lighthouse {
  /**
   * @param categories to audit; performance takes longest, and is unreliable on a busy machine
   * @param cookie of the user who is signed in
   */
  audit(url: string, device: 'phone' | 'desk', categories: readonly Category[], cookie?: Cookie): Promise<Report>
  close(): Promise<void>
}

/** Starts Lighthouse with its own Chromium, which ignores certificate errors: the certificate is self-issued. */
export async function startLighthouse(executablePath: string): Promise<Lighthouse> {
  const port = await freePort()
  const browser: Browser = await launch(executablePath, [
    `--remote-debugging-port=${port}`,
    '--ignore-certificate-errors',
    '--lang=en-US',
  ])
  const session = await browser.newBrowserCDPSession()
  return {
    async audit(url, device, categories, cookie) {
      // Lighthouse clears the browser's storage after each audit.
      if (cookie) await session.send('Storage.setCookies', { cookies: [{ ...cookie, secure: true, httpOnly: true }] })
      const flags = {
        port,
        onlyCategories: [...categories],
        logLevel: 'error' as const,
        output: 'json' as const,
        // Takes a seventh of the CPU time, and no audit here uses it.
        disableFullPageScreenshot: true,
      }
      const result = await lighthouse(url, flags, device === 'desk' ? desktopConfig : undefined)
      if (!result || result.lhr.runtimeError) throw new Error(`Lighthouse: ${result?.lhr.runtimeError?.message}`)
      const { categories: judged, audits, finalDisplayedUrl } = result.lhr
      if (new URL(finalDisplayedUrl).pathname !== new URL(url).pathname) throw new Error(`led to ${finalDisplayedUrl}`)
      const lost = Object.values(judged).flatMap(({ auditRefs }) =>
        auditRefs
          .filter(({ id, weight }) => weight > 0 && (audits[id]?.score ?? 1) < 1)
          .map(({ id }) => `${id}: ${audits[id]?.displayValue ?? audits[id]?.title} ${itemsOf(audits[id]?.details)}`),
      )
      return {
        scores: Object.fromEntries(
          Object.entries(judged).map(([category, { score }]) => [category, Math.round((score ?? 0) * 100)]),
        ),
        lost,
        largestPaint: audits['largest-contentful-paint']?.numericValue ?? 0,
        blocked: audits['total-blocking-time']?.numericValue ?? 0,
      }
    },
    close: () => browser.close(),
  }
}

/** The items of an audit, abbreviated. */
const itemsOf = (details: unknown): string =>
  details === undefined ? '' : JSON.stringify((details as { items?: unknown }).items ?? '').slice(0, 400)
