import { readFileSync } from 'node:fs'
import { parse, stringify } from 'yaml'
import type { Service } from './service.ts'
import type { Reply } from './test-client.ts'

/** Replaces sections of the configuration while the service runs. */
export async function changeConfig({ configFile, internal }: Service, changes: object): Promise<Reply> {
  const config = { ...(parse(readFileSync(configFile, 'utf8')) as object), ...changes }
  const headers = { 'content-type': 'text/yaml', 'if-match': '*' }
  return internal.request('PUT', '/api/config/raw', { headers, body: stringify(config) })
}
