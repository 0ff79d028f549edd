import { Alert, Anchor, Button, Group, SegmentedControl, Switch, Text } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { notifySuccess } from '../../ui/notify.ts'
import { titleOf } from '../../cameras/queries.ts'
import { ApiError, sendJson } from '../../api/api.ts'
import type { Camera, ProblemResponse } from '../../../../server/src/api-types.ts'
import { messageOf, problemText } from '../../api/failure.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { useTexts } from '../../i18n/texts.ts'
import { Card } from '../../ui/Card.tsx'
import { changeSettings, isOvertaken, settingsOf, type KnownSettings } from '../../cameras/camera-settings.ts'
import { LeaveGuard } from '../../ui/LeaveGuard.tsx'
import { Conflict } from './Conflict.tsx'
import { drawingOf, drawingUpon, type Drawing } from './drawing.ts'
import { MaskList } from './MaskList.tsx'
import { MaskPicture } from './MaskPicture.tsx'
import { motionNowQuery } from './motion-now.ts'
import { sameMotion, type MotionSettings } from './motion-settings.ts'
import classes from './MotionEditor.module.css'
import { Now } from './Now.tsx'

interface MotionEditorProps {
  readonly camera: Camera
  readonly known: KnownSettings
  /** The active settings. */
  readonly newest: MotionSettings
  /** Whether the latest refresh of `newest` failed. */
  readonly stale: boolean
}

interface Problems {
  readonly masks: ReadonlyMap<number, string>
  readonly sensitivity?: string | undefined
  readonly whole?: string | undefined
  readonly others?: readonly ProblemResponse[]
}

const none: Problems = { masks: new Map() }
const levels = ['low', 'medium', 'high'] as const

/** Edits a camera's masks, and whether and how sensitively motion is detected. */
export function MotionEditor({ camera, known, newest, stale }: MotionEditorProps) {
  const texts = useTexts('cameras', 'config-problems')
  const { motion } = useTexts('motion')
  const { detection } = motion
  const queries = useQueryClient()
  const title = titleOf(camera)
  // The settings that the edits are based on.
  const [was, setWas] = useState(newest)
  const [drawing, setDrawing] = useState<Drawing>(() => drawingOf(newest.masks))
  const [rest, setRest] = useState({ enabled: newest.enabled, sensitivity: newest.sensitivity })
  const looks = camera.state === 'online' && camera.motion_state === 'active'
  const now = useQuery({ ...motionNowQuery(camera.name), enabled: looks }).data

  const mine: MotionSettings = { ...rest, masks: drawing.masks.map(({ corners }) => corners) }
  const unchanged = (now: KnownSettings): boolean => {
    const theirs = settingsOf(now, camera.name)?.motion
    return theirs !== undefined && sameMotion(theirs, was)
  }
  const { mutate, reset, isPending, error } = useMutation({
    mutationFn: (settings: MotionSettings) =>
      changeSettings(known, unchanged, (ifMatch) =>
        sendJson('PUT /api/cameras/:camera/motion-settings', { camera: camera.name }, settings, { ifMatch }),
      ),
    onSuccess: async (_sent, saved) => {
      await queries.invalidateQueries({ queryKey: queryKeys.config.all })
      // The saved masks are now in the file in the order drawn, so their ids become their indexes.
      setWas(saved)
      setDrawing((now) => drawingUpon(now, saved.masks))
      notifySuccess(motion.saved({ camera: title }))
    },
    // Shows what someone else saved as soon as it is known.
    onError: () => queries.invalidateQueries({ queryKey: queryKeys.config.all }),
  })

  const unsaved = !sameMotion(mine, was) || drawing.begun !== undefined
  const overtaken = !sameMotion(newest, was)
  const beginWith = (settings: MotionSettings) => {
    setWas(settings)
    setDrawing(drawingOf(settings.masks))
    setRest({ enabled: settings.enabled, sensitivity: settings.sensitivity })
  }
  if (overtaken && !isPending) {
    // Without edits, or with identical ones, the editor follows the active settings.
    if (sameMotion(mine, newest) && drawing.begun === undefined) setWas(newest)
    else if (!unsaved) beginWith(newest)
  }

  const discard = () => {
    reset()
    beginWith(newest)
  }
  const goOnWithMine = () => {
    reset()
    setDrawing((mine) => drawingUpon(mine, newest.masks))
    setWas(newest)
  }

  const problemsIn = (error: unknown): Problems => {
    if (isOvertaken(error)) return { ...none, whole: motion.conflict.soon }
    const all = error instanceof ApiError ? (error.failure.problems ?? []) : []
    const own = `cameras.${camera.name}.motion.`
    const masks = new Map<number, string>()
    const others: ProblemResponse[] = []
    let sensitivity: string | undefined
    for (const problem of all) {
      const field = problem.field.startsWith(own) ? problem.field.slice(own.length) : ''
      const mask = /^masks\[(\d+)\]/.exec(field)?.[1]
      if (mask !== undefined) masks.set(Number(mask), problemText(problem, texts))
      else if (field === 'sensitivity') sensitivity = problemText(problem, texts)
      else others.push(problem)
    }
    return { masks, sensitivity, others, whole: all.length > 0 ? undefined : messageOf(error, texts) }
  }
  const problems = error && unsaved ? problemsIn(error) : none

  return (
    <>
      <LeaveGuard unsaved={unsaved && !isPending} of={motion.title({ camera: title })} />
      {stale && (
        <Alert color="yellow" role="status">
          {texts.failure.stale}
        </Alert>
      )}
      {overtaken && unsaved && !isPending && <Conflict theirs={newest} onTheirs={discard} onMine={goOnWithMine} />}
      <div className={classes.columns}>
        <MaskPicture
          camera={camera}
          drawing={drawing}
          change={setDrawing}
          theirs={overtaken && unsaved && !isPending ? newest.masks : undefined}
          box={looks && now?.moving ? now.box : null}
        />
        <div className={classes.side}>
          <Card title={motion.masks.title} lead={motion.masks.lead}>
            <MaskList drawing={drawing} change={setDrawing} problems={problems.masks} />
          </Card>
          <Card title={detection.title}>
            <Switch
              label={detection.enabled}
              description={detection.enabledHelp}
              checked={rest.enabled}
              onChange={({ currentTarget: { checked } }) => setRest((now) => ({ ...now, enabled: checked }))}
            />
            <div>
              <Text size="sm" fw={500} mb={4} id="sensitivity">
                {detection.sensitivity}
              </Text>
              <SegmentedControl
                fullWidth
                aria-labelledby="sensitivity"
                disabled={!rest.enabled}
                data={levels.map((value) => ({ value, label: detection.levels[value] }))}
                value={rest.sensitivity}
                onChange={(sensitivity) => setRest((now) => ({ ...now, sensitivity }))}
              />
              <Text size="sm" c="dimmed" mt={6}>
                {detection.help[rest.sensitivity]}
              </Text>
              {problems.sensitivity && (
                <Text size="sm" c="var(--mantine-color-error)" role="alert">
                  {problems.sensitivity}
                </Text>
              )}
            </div>
            <Now camera={camera} now={looks ? now : undefined} />
            <Text size="sm" c="dimmed">
              {detection.elsewhere}{' '}
              <Anchor component={Link} to="/settings/config" size="sm" underline="always">
                {texts.cameras.openConfig}
              </Anchor>
            </Text>
          </Card>
        </div>
        <div className={classes.save}>
          {!overtaken && (problems.whole !== undefined || (problems.others?.length ?? 0) > 0) && (
            <Alert color="red" role="alert" title={problems.whole === undefined ? motion.others : undefined}>
              {problems.whole}
              {problems.others?.map((problem) => (
                <Text size="sm" key={problem.field + problem.message}>
                  <strong>{problem.field}</strong> {problemText(problem, texts)}
                </Text>
              ))}
            </Alert>
          )}
          <Group>
            <Button
              loading={isPending}
              disabled={!unsaved || overtaken || drawing.begun !== undefined}
              onClick={() => mutate(mine)}
            >
              {motion.save}
            </Button>
            {unsaved && !overtaken && !isPending && (
              <Button variant="subtle" onClick={discard}>
                {motion.discard}
              </Button>
            )}
          </Group>
        </div>
      </div>
    </>
  )
}
