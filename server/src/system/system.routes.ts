import { Type, type Static } from 'typebox'
import { respond } from '../http/response.ts'
import { route, type Route } from '../http/route.ts'
import { ServiceError } from '../shared/errors.ts'
import { namesVersion } from '../shared/http/etag.ts'
import { logLevels, type LogLevel, type LogLine } from '../shared/log.ts'
import type { SystemReasons } from './reasons.ts'

export interface SystemDeps {
  readonly version: string
  /** Whether the database is writable. */
  readonly healthy: () => Promise<boolean>
  /** Whether the stored configuration is not the active one, because it is invalid or could not be applied. */
  readonly isConfigOutdated: () => boolean
  readonly recentLines: () => readonly LogLine[]
  readonly openApi: () => Promise<{ readonly text: string; readonly etag: string }>
  /** HTML. */
  readonly referencePage: () => string
  /** PEM of the service's certificate authority; undefined if a certificate is configured or TLS is off. */
  readonly caCertificate: () => string | undefined
}

const Level = Type.Enum([...logLevels])

const Line = Type.Object({
  at: Type.String(),
  level: Level,
  logger: Type.String(),
  message: Type.String(),
  fields: Type.Record(Type.String(), Type.Unknown()),
})

const LogLines = Type.Object({ lines: Type.Array(Line) })
export type LogLines = Static<typeof LogLines>

const Health = Type.Object({
  status: Type.Literal('ok'),
  config: Type.Optional(
    Type.Literal('outdated', {
      description: 'The stored configuration is invalid for this version, so an earlier one is active. See the log.',
    }),
  ),
})

/** Routes of the service itself: health, version, logs, API reference. */
export function systemRoutes(deps: SystemDeps): Route[] {
  const { version, healthy, isConfigOutdated, recentLines, openApi, referencePage, caCertificate } = deps
  return [
    route({
      method: 'GET',
      path: '/api/health',
      access: { open: 'monitors and proxies request it without signing in' },
      schema: {
        summary: 'Check whether the service is healthy.',
        response: { 200: Health },
      },
      handle: async () => {
        if (!(await healthy()))
          throw new ServiceError('unavailable', {
            reason: 'database-unavailable',
            // With a cause, the failure is logged as an error, not only at debug level.
            cause: 'a trial write failed',
            retryAfter: 2,
          })
        return { status: 'ok' as const, ...(isConfigOutdated() && { config: 'outdated' as const }) }
      },
    }),
    route({
      method: 'GET',
      path: '/api/version',
      access: { signedIn: true },
      schema: {
        summary: 'Get the version of the service.',
        response: { 200: Type.Object({ version: Type.String() }) },
      },
      handle: () => ({ version }),
    }),
    route({
      method: 'GET',
      path: '/api/logs',
      access: { service: 'log.read', about: 'no-camera' },
      schema: {
        summary: 'List the newest log lines, oldest first.',
        querystring: Type.Object({
          logger: Type.Optional(Type.String({ description: 'Name of a logger; loggers below it are included.' })),
          level: Type.Optional(Level),
        }),
        response: { 200: LogLines },
      },
      handle: ({ query }) => ({ lines: recentLines().filter((line) => matches(line, query)) }),
    }),
    route({
      method: 'GET',
      path: '/api/openapi.json',
      access: { signedIn: true },
      schema: { summary: 'Get this API reference as OpenAPI.', otherResponses: { 200: 'application/json', 304: null } },
      handle: async ({ header }) => {
        const { text, etag } = await openApi()
        const headers = {
          'content-type': 'application/json; charset=utf-8',
          'cache-control': 'private, no-cache',
          etag,
        }
        return respond(namesVersion(header('if-none-match'), etag) ? { status: 304, headers } : { body: text, headers })
      },
    }),
    route({
      method: 'GET',
      path: '/api/docs',
      access: { signedIn: true },
      schema: { summary: 'Get this API reference as a page.', otherResponses: { 200: 'text/html' } },
      handle: () =>
        respond({ status: 200, body: referencePage(), headers: { 'content-type': 'text/html; charset=utf-8' } }),
    }),
    route({
      method: 'GET',
      path: '/ca.crt',
      access: { open: 'a device has to trust the certificate before it can sign in safely' },
      schema: {
        summary: 'Download the certificate authority of the service, for devices to trust.',
        otherResponses: { 200: 'application/x-x509-ca-cert' },
      },
      handle: () => {
        const certificate = caCertificate()
        if (certificate === undefined)
          throw new ServiceError<SystemReasons>('not-found', {
            reason: 'no-authority',
          })
        return respond({
          status: 200,
          body: certificate,
          headers: {
            'content-type': 'application/x-x509-ca-cert',
            'content-disposition': 'attachment; filename="gatehouse-ca.crt"',
          },
        })
      },
    }),
  ]
}

/** A level includes more severe ones; a logger includes those below it, such as `http.access` for `http`. */
function matches(line: LogLine, { logger, level }: { logger?: string; level?: LogLevel }): boolean {
  const grave = level === undefined || logLevels.indexOf(line.level) >= logLevels.indexOf(level)
  return grave && (logger === undefined || line.logger === logger || line.logger.startsWith(`${logger}.`))
}
