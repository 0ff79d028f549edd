import { Type, type Static } from 'typebox'
import { answer, route, type Route } from '../http/route.ts'
import { ServiceError } from '../shared/errors.ts'
import { namesVersion } from '../shared/etag.ts'
import { logLevels, type LogLevel, type LogLine } from '../shared/log.ts'

export interface SystemDeps {
  readonly version: string
  /** Whether the database can be written. */
  readonly healthy: () => Promise<boolean>
  readonly recentLines: () => readonly LogLine[]
  readonly openApi: () => Promise<{ readonly text: string; readonly etag: string }>
  /** HTML. */
  readonly referencePage: () => string
  /** PEM of our own certificate authority; undefined where a certificate is configured or TLS is off. */
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

/** The service as a whole: health, version, log, reference. */
export function systemRoutes(deps: SystemDeps): Route[] {
  const { version, healthy, recentLines, openApi, referencePage, caCertificate } = deps
  return [
    route({
      method: 'GET',
      path: '/api/health',
      access: { open: 'monitors and proxies ask it before anybody signs in' },
      schema: {
        summary: 'Whether the service can do its work.',
        response: { 200: Type.Object({ status: Type.Literal('ok') }) },
      },
      handle: async () => {
        if (!(await healthy()))
          throw new ServiceError('unavailable', 'The database cannot be written.', {
            reason: 'database-away',
            // Who reads the log is to learn of it: without a cause it would only be put off.
            cause: 'a trial write failed',
            retryAfter: 2,
          })
        return { status: 'ok' as const }
      },
    }),
    route({
      method: 'GET',
      path: '/api/version',
      access: { signedIn: true },
      schema: { summary: 'The version of the service.', response: { 200: Type.Object({ version: Type.String() }) } },
      handle: () => ({ version }),
    }),
    route({
      method: 'GET',
      path: '/api/logs',
      access: { service: 'log.read' },
      schema: {
        summary: 'The newest lines of the log, oldest first.',
        querystring: Type.Object({
          logger: Type.Optional(Type.String({ description: 'Only this logger and those below it.' })),
          level: Type.Optional(Level),
        }),
        response: { 200: LogLines },
      },
      handle: ({ query }) => ({ lines: recentLines().filter((line) => fits(line, query)) }),
    }),
    route({
      method: 'GET',
      path: '/api/openapi.json',
      access: { signedIn: true },
      schema: { summary: 'This reference, for programs (OpenAPI).' },
      handle: async ({ header }) => {
        const { text, etag } = await openApi()
        const headers = {
          'content-type': 'application/json; charset=utf-8',
          'cache-control': 'private, no-cache',
          etag,
        }
        return answer(namesVersion(header('if-none-match'), etag) ? { status: 304, headers } : { body: text, headers })
      },
    }),
    route({
      method: 'GET',
      path: '/api/docs',
      access: { signedIn: true },
      schema: { summary: 'This reference, for people.' },
      handle: () =>
        answer({ status: 200, body: referencePage(), headers: { 'content-type': 'text/html; charset=utf-8' } }),
    }),
    route({
      method: 'GET',
      path: '/ca.crt',
      access: { open: 'a device has to be told to trust the certificate before it can sign in safely' },
      schema: { summary: 'The certificate authority of the service, for devices to trust.' },
      handle: () => {
        const certificate = caCertificate()
        if (certificate === undefined)
          throw new ServiceError('not-found', 'The service has no certificate authority of its own here.', {
            reason: 'no-authority',
          })
        return answer({
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

/** A level takes in the graver ones; a logger those whose names begin with it. */
function fits(line: LogLine, { logger, level }: { logger?: string; level?: LogLevel }): boolean {
  const grave = level === undefined || logLevels.indexOf(line.level) >= logLevels.indexOf(level)
  return grave && (logger === undefined || line.logger === logger || line.logger.startsWith(`${logger}.`))
}
