/** The names of months and days in other languages, fetched when they are wanted. */
const languages: Readonly<Record<string, readonly [name: string, load: () => Promise<unknown>]>> = {
  de: ['de', () => import('dayjs/locale/de')],
  es: ['es', () => import('dayjs/locale/es')],
  fr: ['fr', () => import('dayjs/locale/fr')],
  zh: ['zh-cn', () => import('dayjs/locale/zh-cn')],
}

/** What the calendar calls a locale's language; English where it has no words for it. */
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

/** 0 is Sunday. Browsers that do not know begin with Monday, as most of the world does. */
export function firstDayOfWeek(locale: string): DayOfWeek {
  const spoken = new Intl.Locale(locale) as Intl.Locale & {
    getWeekInfo?: () => { firstDay: number }
    weekInfo?: { firstDay: number }
  }
  const { firstDay = 1 } = spoken.getWeekInfo?.() ?? spoken.weekInfo ?? {}
  return (firstDay % 7) as DayOfWeek
}
