import { Type } from 'typebox'
import { nullable, section, type ValueFormat, type Read } from './key.ts'
import type { ProblemCollector } from './problem-collector.ts'
import { wrongText } from './describe-constraint.ts'

const Ancestor = Type.String({
  allowed: {
    form: 'frame-ancestor',
    words: "`'self'`, `'none'`, or a source as in a Content-Security-Policy, as `https://home.example`",
  } satisfies ValueFormat,
})
const Origin = Type.String({
  allowed: {
    form: 'origin',
    words: 'a scheme and a host, with a port where it is not the usual one, as `https://home.example:8123`',
  } satisfies ValueFormat,
})

export const HttpConfig = section(
  {
    base_path: Type.String({
      default: '/',
      restart: true,
      description: 'Path below which a proxy shows the service. A `/` at its end may be left out.',
      allowed: { form: 'base-path', words: 'a path of letters, digits, `-`, `_`, `.` and `~`, that starts with `/`' },
      examples: ['/gatehouse/'],
    }),
    hsts_seconds: nullable(Type.Integer({ minimum: 0 }), {
      restart: true,
      description:
        'Seconds browsers are told to insist on HTTPS. Default: a year with a configured certificate, not at all (`0`) with one of our own.',
    }),
    frame_ancestors: Type.Array(Ancestor, {
      default: ["'self'"],
      minItems: 1,
      restart: true,
      description: 'Pages that may show the UI inside a frame.',
      examples: [["'self'", 'https://home.example']],
    }),
    allowed_origins: Type.Array(Origin, {
      default: [],
      description: 'Other web sites whose pages may change something here with the cookie of a signed-in person.',
      examples: [['https://home.example']],
    }),
    streams_per_user: Type.Integer({
      default: 256,
      minimum: 16,
      maximum: 100_000,
      description:
        'Streams that one user can have open at a time on the gate: live views, events, downloads. A page with 16 cameras has 17. One more is 429.',
    }),
  },
  { title: 'http', description: 'How the service shows itself to browsers.' },
)

export type HttpConfig = Read<typeof HttpConfig>

/** `/`, or `/…/`: with one slash at both ends. */
export const wholeBasePath = (path: string): string => (path.endsWith('/') ? path : `${path}/`)

export function checkHttp(http: HttpConfig, { problem }: ProblemCollector): void {
  const segments = wholeBasePath(http.base_path).slice(1, -1).split('/')
  const plain = http.base_path === '/' || segments.every((each) => /^(?!\.{1,2}$)[A-Za-z0-9._~-]+$/.test(each))
  if (!http.base_path.startsWith('/') || !plain) {
    problem(['http', 'base_path'], wrongText(http.base_path, HttpConfig.properties.base_path))
  }
  for (const [index, source] of http.frame_ancestors.entries()) {
    // It goes into a header as it stands: nothing that ends a source or a directive.
    if (/^'(self|none)'$/.test(source) || /^(?!-)[A-Za-z0-9.*:/[\]_-]+$/.test(source)) continue
    problem(['http', 'frame_ancestors', index], wrongText(source, Ancestor))
  }
  for (const [index, origin] of http.allowed_origins.entries()) {
    const url = /^https?:\/\//i.test(origin) ? URL.parse(origin) : null
    if (url && url.origin.toLowerCase() === origin.toLowerCase()) continue
    problem(['http', 'allowed_origins', index], wrongText(origin, Origin))
  }
}
