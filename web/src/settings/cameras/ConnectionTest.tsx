import { Alert, Button, Group, PasswordInput, Progress, Stack, Text } from '@mantine/core'
import { IconAlertTriangle, IconCheck } from '@tabler/icons-react'
import { useEffect, useState, type KeyboardEvent } from 'react'
import type { ConnectionTestResponse } from '../../../../server/src/api-types.ts'
import { connectionTestTimeout } from '../../../../server/src/shared/with-web/connection-test-timeout.ts'
import { jsonOf, send, sendJson } from '../../api/api.ts'
import { messageOf, problemOf } from '../../api/failure.ts'
import { noVideoReason } from '../../api/translate-message.ts'
import { useLocale, useTexts } from '../../i18n/texts.ts'
import { formatDuration } from '../../lib/format-time.ts'
import classes from './CamerasPage.module.css'
import { codecName } from '../../lib/codec-name.ts'
import { hintFor } from './hint.ts'
import { filled, placeholdersIn } from './source.ts'

type TestRun =
  | { readonly state: 'none' }
  | { readonly state: 'running'; readonly abort: AbortController }
  | { readonly state: 'done'; readonly response: ConnectionTestResponse }
  | { readonly state: 'failed'; readonly error: unknown }

/** The source to test: one that was typed, or a camera's stored source. */
type Tested = { readonly source: string } | { readonly camera: string }

/**
 * A test and its result, which ends when the source changes.
 *
 * @param values those of the placeholders in the source
 */
function useTestRun(of: Tested, values: ReadonlyMap<string, string>) {
  const source = 'source' in of ? of.source : undefined
  const [run, setRun] = useState<TestRun>({ state: 'none' })
  const [before, setBefore] = useState(source)
  if (before !== source) {
    setBefore(source)
    setRun({ state: 'none' })
  }
  const running = run.state === 'running' ? run.abort : undefined
  useEffect(() => () => running?.abort(), [running])

  const start = async () => {
    const abort = new AbortController()
    const { signal } = abort
    setRun({ state: 'running', abort })
    try {
      const tested =
        'camera' in of
          ? send(`api/cameras/${encodeURIComponent(of.camera)}/test`, { method: 'POST', signal })
          : sendJson('POST /api/cameras/test', {}, { source: filled(of.source.trim(), values) }, { signal })
      const response = await jsonOf<ConnectionTestResponse>(tested)
      if (!signal.aborted) setRun({ state: 'done', response })
    } catch (error) {
      if (!signal.aborted) setRun({ state: 'failed', error })
    }
  }
  return {
    run,
    start,
    cancel: () => setRun({ state: 'none' }),
    canStart: source?.trim() !== '' && run.state !== 'running',
  }
}

/** Tests a source as a camera would read it, and shows the result. */
export function ConnectionTest({ of }: { of: Tested }) {
  const texts = useTexts('cameras')
  const { test } = texts.cameras
  // They stay while the source is changed.
  const [values, setValues] = useState<ReadonlyMap<string, string>>(new Map())
  const { run, start, cancel, canStart } = useTestRun(of, values)
  const startByEnter = (event: KeyboardEvent) => {
    if (event.key !== 'Enter') return
    // It would submit the form around the test.
    event.preventDefault()
    if (canStart) void start()
  }

  return (
    <Stack gap="sm" className={classes.test}>
      {placeholdersIn('source' in of ? of.source : '').map((name) => (
        <PasswordInput
          key={name}
          label={test.value({ name })}
          description={test.valueHelp}
          autoComplete="off"
          value={values.get(name) ?? ''}
          onKeyDown={startByEnter}
          onChange={({ currentTarget: { value } }) => setValues((before) => new Map(before).set(name, value))}
        />
      ))}
      <Group gap="sm">
        <Button variant="default" onClick={() => void start()} disabled={!canStart}>
          {run.state === 'none' || run.state === 'running' ? test.start : test.again}
        </Button>
        {run.state === 'running' && (
          <Button variant="subtle" onClick={cancel}>
            {texts.cancel}
          </Button>
        )}
      </Group>
      {run.state === 'none' && (
        <Text size="sm" c="dimmed">
          {test.lead}
        </Text>
      )}
      {run.state === 'running' && <Running />}
      <div role="status">
        {run.state === 'done' && <Outcome response={run.response} />}
        {run.state === 'failed' && (
          <Alert color="red" icon={<IconAlertTriangle />} title={test.failed}>
            {problemOf(run.error, 'source', texts) ?? messageOf(run.error, texts)}
          </Alert>
        )}
      </div>
    </Stack>
  )
}

function Running() {
  const { test } = useTexts('cameras').cameras
  const locale = useLocale()
  const [seconds, setSeconds] = useState(0)
  useEffect(() => {
    const timer = setInterval(() => setSeconds((before) => before + 1), 1000)
    return () => clearInterval(timer)
  }, [])
  return (
    <div>
      <Progress
        value={Math.min(97, (seconds / connectionTestTimeout) * 100)}
        aria-label={test.progress}
        animated
        mb={6}
      />
      <Text size="sm" c="dimmed">
        {test.running({ seconds: formatDuration(Math.max(0, connectionTestTimeout - seconds), locale) })}
      </Text>
    </div>
  )
}

function Outcome({ response }: { response: ConnectionTestResponse }) {
  const texts = useTexts('cameras', 'reasons')
  const { test, fps } = texts.cameras
  if (!response.ok) {
    return (
      <Alert color="red" icon={<IconAlertTriangle />} title={test.failed}>
        <Text size="sm">{noVideoReason(response, texts)}</Text>
        <Text size="sm" mt={6}>
          {hintFor(response.reason.code, test.hints)}
        </Text>
      </Alert>
    )
  }
  const codec = codecName(response.codec)
  const pace = response.fps === null ? '' : fps({ rate: response.fps })
  return (
    <Alert icon={<IconCheck />} title={test.works}>
      <Stack gap="sm">
        <Text size="sm">{[codec, response.resolution.replace('x', ' × '), pace].filter(Boolean).join(' · ')}</Text>
        <img src={response.snapshot} alt={test.snapshot} className={classes.testSnapshot} />
        {codec === 'H.265' && <Text size="sm">{test.hevc}</Text>}
      </Stack>
    </Alert>
  )
}
