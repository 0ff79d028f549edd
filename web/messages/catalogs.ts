import { globSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { Catalog } from './compile.ts'

/** `web/src/i18n`: a folder for each language, named by its BCP 47 tag, with a file for each catalog. */
export const folder = join(import.meta.dirname, '../src/i18n')

/** The catalog files of the source language; every other language has the same. */
export const catalogNames: readonly string[] = globSync('en/*.json', { cwd: folder })
  .map((file) => basename(file, '.json'))
  .toSorted()

/** The languages that have a folder, as BCP 47 tags. */
export const languageTags: readonly string[] = globSync('*/common.json', { cwd: folder })
  .map((file) => dirname(file))
  .filter((tag) => tag !== 'notes')
  .toSorted()

export const fileOf = (tag: string, name: string): string => join(folder, tag, `${name}.json`)

/** @throws Error if the file is missing, or is not an object of texts */
export function readCatalog(tag: string, name: string): Catalog {
  const value: unknown = JSON.parse(readFileSync(fileOf(tag, name), 'utf8'))
  if (!isCatalog(value)) throw new Error(`${tag}/${name}.json has a value that is neither a text nor an object`)
  return value
}

const isCatalog = (value: unknown): value is Catalog =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  Object.values(value).every((inner) => typeof inner === 'string' || isCatalog(inner))
