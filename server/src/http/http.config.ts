import { Type } from 'typebox'
import type { EngineProblem } from '../config/problem-codes.ts'
import { nullableKey, section, type ConfigOf } from '../config/key.ts'
import type { SectionReport } from '../config/problem-collector.ts'
import { wrongText } from '../config/schema/describe-constraint.ts'

const Ancestor = Type.String({
  // The source is copied into a header, so it must not contain anything that ends a source or a directive.
  pattern: "^('(self|none)'|(?!-)[A-Za-z0-9.*:/[\\]_\\-]+)$",
  allowed: 'frame-ancestor',
})
const Origin = Type.String({
  allowed: 'origin',
})

export const HttpConfig = section(
  {
    base_path: Type.String({
      pattern: '^/((?!\\.{1,2}(/|$))[A-Za-z0-9._~\\-]+(/(?!\\.{1,2}(/|$))[A-Za-z0-9._~\\-]+)*/?)?$',
      default: '/',
      restart: true,
      description: 'Path under which a proxy serves Gatehouse. The trailing `/` is optional.',
      allowed: 'base-path',
      examples: ['/gatehouse/'],
    }),
    hsts_seconds: nullableKey(Type.Integer({ minimum: 0 }), {
      restart: true,
      description:
        'Seconds browsers insist on HTTPS (HSTS). Default: a year with a configured certificate, disabled (`0`) with a generated one.',
    }),
    frame_ancestors: Type.Array(Ancestor, {
      default: ["'self'"],
      minItems: 1,
      restart: true,
      description: 'Pages that can embed the UI in a frame.',
      examples: [["'self'", 'https://home.example']],
    }),
    allowed_origins: Type.Array(Origin, {
      default: [],
      description: 'Other web sites whose pages can make changes with the session cookie of a signed-in user.',
      examples: [['https://home.example']],
    }),
    streams_per_user: Type.Integer({
      default: 256,
      minimum: 16,
      maximum: 100_000,
      description:
        'Streams that one user, API token, screen or share link can have open at the same time on the gate: live views, events, downloads. A page with 16 cameras has 17. Of MJPEG streams, at most 32, or one for each camera if that is more; of segments, clips of recordings and files of exports, at most 48 each, with a share link for each IP address. A user and all API tokens of the user together can have half as many more of each. Further requests get 429.',
    }),
  },
  { title: 'http', description: 'HTTP: paths, headers and limits for browsers.' },
)

export type HttpConfig = ConfigOf<typeof HttpConfig>

/** Adds the trailing slash: `/` or `/…/`. */
export const wholeBasePath = (path: string): string => (path.endsWith('/') ? path : `${path}/`)

export function checkHttp(http: HttpConfig, { problem }: SectionReport<EngineProblem>): void {
  for (const [index, origin] of http.allowed_origins.entries()) {
    const url = /^https?:\/\//i.test(origin) ? URL.parse(origin) : null
    if (url && url.origin.toLowerCase() === origin.toLowerCase()) continue
    problem(['http', 'allowed_origins', index], wrongText(origin, Origin))
  }
}
