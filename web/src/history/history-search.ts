import { searchText } from '../lib/search-text.ts'

/** Query parameters of the History page. */
export interface HistorySearch {
  /** Comma-separated camera names. */
  readonly camera?: string
  /** ISO 8601, for example `2026-11-21T18:30:00Z`. */
  readonly at?: string
}

/** Maximum number of cameras shown together. */
export const maxCameras = 4

/** Parses query parameters; invalid values are dropped. */
export function historySearch(values: Readonly<Record<string, unknown>>): HistorySearch {
  const cameras = camerasIn(searchText(values['camera']))
  const at = parseTime(searchText(values['at']))
  return { ...(cameras.length > 0 && { camera: cameras.join(',') }), ...(at !== undefined && { at: isoTime(at) }) }
}

/** The valid names in a comma-separated list, each once. */
export function camerasIn(list: string | undefined): readonly string[] {
  const names = (list ?? '').split(',').filter((name) => /^[A-Za-z0-9_-]{1,64}$/.test(name))
  return [...new Set(names)].slice(0, maxCameras)
}

/** Unix seconds; undefined for an invalid time. */
export function parseTime(text: string | undefined): number | undefined {
  if (text === undefined || !/^\d{4}-\d{2}-\d{2}T/.test(text)) return undefined
  const at = Date.parse(text) / 1000
  return Number.isFinite(at) && at >= 0 ? at : undefined
}

/** ISO 8601 in UTC, to the second. @param at Unix seconds */
export const isoTime = (at: number): string => new Date(Math.floor(at) * 1000).toISOString().replace('.000Z', 'Z')
