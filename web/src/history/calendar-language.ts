/** Names of months and days in other languages, fetched on demand. */
const languages: Readonly<Record<string, readonly [name: string, load: () => Promise<unknown>]>> = {
  de: ['de', () => import('dayjs/locale/de')],
  es: ['es', () => import('dayjs/locale/es')],
  fr: ['fr', () => import('dayjs/locale/fr')],
  zh: ['zh-cn', () => import('dayjs/locale/zh-cn')],
}

/** The calendar's name for a locale's language; English if the calendar does not support the language. */
export async function calendarLanguage(locale: string): Promise<string> {
  const found = languages[locale.split('-')[0] ?? '']
  if (!found) return 'en'
  try {
    await found[1]()
    return found[0]
  } catch {
    return 'en'
  }
}

type DayOfWeek = 0 | 1 | 2 | 3 | 4 | 5 | 6

/** First day of the week; 0 is Sunday. Monday, as in most of the world, if the browser does not know. */
export function firstDayOfWeek(locale: string): DayOfWeek {
  const spoken = new Intl.Locale(locale) as Intl.Locale & {
    getWeekInfo?: () => { firstDay: number }
    weekInfo?: { firstDay: number }
  }
  const { firstDay = 1 } = spoken.getWeekInfo?.() ?? spoken.weekInfo ?? {}
  return (firstDay % 7) as DayOfWeek
}
