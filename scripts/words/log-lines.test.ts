import { expect, test } from 'vitest'
import { logProblems } from './log-lines.ts'

const put = 'the message is put together: values go into fields'
const capital = 'the message begins with a capital letter'
const sentence = 'the message ends like a sentence'

test.each<[source: string, problems: readonly string[]]>([
  ["log.warn({ err, camera }, 'recording paused')", []],
  ["log.info({}, 'WebSocket closed')", []],
  ["log.info({}, 'LISTEN connection restored')", []],
  ["log.info({ ...entry, valid_to: validTo }, 'certificate reloaded')", []],
  ['log.info(fields, messages[state])', []],
  ["log.info({}, gone ? 'config missing' : 'config empty')", []],
  ["alert.warn({ ID: 1 }, 'Another thing.')", []],
  ["catalog.warn({ ID: 1 }, 'Another thing.')", []],
  ["log.info({}, 'Service ready')", [capital]],
  ["log.info({}, 'service ready.')", [sentence]],
  ["log.info({}, gone ? 'Config missing' : 'config empty.')", [capital, sentence]],
  ['deps.log.warn({}, `camera ${name} offline`)', [put]],
  ["log.warn({}, 'camera ' + name)", [put]],
  ["logs.named('service').error({}, 'Ready')", [capital]],
  ["logs\n  .named('service')\n  .error({}, 'Ready')", [capital]],
  [
    `log.warn({}, '${'long '.repeat(19)}')`,
    ['the message has more than 90 characters: advice goes into the field hint'],
  ],
  ["log.warn({ error }, 'failed')", ['field “error”: use err']],
  ["log.warn({ validTo }, 'failed')", ['field “validTo”: use snake_case']],
  [
    "log.warn({ id: one.id, seconds: 2 }, 'failed')",
    ['field “id”: name what it identifies, as in export', 'field “seconds”: say what lasts, as in interval_seconds'],
  ],
])('%s', (source, problems) => {
  expect(logProblems('a.ts', source).map(({ text }) => text)).toEqual(problems)
})

test('a problem has its place', () => {
  const source = "const a = 1\nlog.warn({}, 'Failed')"
  expect(logProblems('a.ts', source).map(({ start }) => source.slice(start))).toEqual(["'Failed')"])
})
