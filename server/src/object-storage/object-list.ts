import { ObjectError, type StoredObject } from '../shared/storage/objects.ts'

export interface ObjectPage {
  readonly objects: readonly StoredObject[]
  /** Whether more objects follow the last one. */
  readonly more: boolean
}

/**
 * Reads a response of ListObjectsV2 that was requested with `encoding-type=url`, so that keys contain no XML characters.
 * Nothing else of XML is read: no entity is expanded, no document type is looked at.
 *
 * @throws ObjectError `unexpected` if it isn't one
 */
export function objectPageOf(xml: string): ObjectPage {
  if (!xml.includes('<ListBucketResult')) throw new ObjectError('unexpected', 'list')
  const objects: StoredObject[] = []
  // Every search begins where the last one ended: the time that a page takes grows with its length only.
  for (let at = xml.indexOf('<Contents>'); at >= 0;) {
    const end = xml.indexOf('</Contents>', at)
    if (end < 0) throw new ObjectError('unexpected', 'list')
    const entry = xml.slice(at, end)
    at = xml.indexOf('<Contents>', end)
    const key = textIn(entry, 'Key')
    const modifiedAt = Date.parse(textIn(entry, 'LastModified') ?? '')
    if (key !== undefined && !Number.isNaN(modifiedAt)) objects.push({ key: decoded(key), modifiedAt })
  }
  return { objects, more: textIn(xml, 'IsTruncated') === 'true' }
}

function textIn(xml: string, name: string): string | undefined {
  const start = xml.indexOf(`<${name}>`)
  if (start < 0) return undefined
  const end = xml.indexOf(`</${name}>`, start)
  return end < 0 ? undefined : xml.slice(start + name.length + 2, end)
}

function decoded(key: string): string {
  try {
    return decodeURIComponent(key.replaceAll('+', '%20'))
  } catch {
    throw new ObjectError('unexpected', 'list')
  }
}
