import { Button, Group } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { Camera } from '../../../../server/src/api-types.ts'
import { problemText } from '../../api/failure.ts'
import type { KnownSettings } from '../../cameras/camera-settings.ts'
import { titleOf } from '../../cameras/queries.ts'
import { useTexts } from '../../i18n/texts.ts'
import { Card } from '../../ui/Card.tsx'
import { FormProblem } from '../../ui/forms/FormProblem.tsx'
import { LeaveGuard } from '../../ui/dialogs/LeaveGuard.tsx'
import { StaleAlert } from '../../ui/feedback/StaleAlert.tsx'
import { Conflict } from './Conflict.tsx'
import { DetectionCard } from './DetectionCard.tsx'
import { MaskList } from './mask/MaskList.tsx'
import { MaskCanvas } from './mask/MaskCanvas.tsx'
import { motionNowQuery } from './motion-now.ts'
import type { MotionSettings } from './motion-settings.ts'
import classes from './MotionEditor.module.css'
import { useMotionEdit } from './useMotionEdit.ts'

interface MotionEditorProps {
  readonly camera: Camera
  readonly known: KnownSettings
  /** The active settings. */
  readonly newest: MotionSettings
  /** Whether the latest refresh of `newest` failed. */
  readonly stale: boolean
}

/** Edits a camera's masks, and whether and how sensitively motion is detected; shows them if they can't be edited. */
export function MotionEditor({ camera, known, newest, stale }: MotionEditorProps) {
  const { motion } = useTexts('motion')
  const edit = useMotionEdit(camera, known, newest)
  const { drawing, problems, hasChanges, isConflict, isPending, dispatch } = edit
  const change: Parameters<typeof MaskList>[0]['change'] = (step) => dispatch({ type: 'draw', step })
  const isActive = camera.state === 'online' && camera.motion_state === 'active'
  const { data } = useQuery({ ...motionNowQuery(camera.name), enabled: isActive })
  const now = isActive ? data : undefined

  return (
    <>
      <LeaveGuard unsaved={hasChanges && !isPending} of={motion.title({ camera: titleOf(camera) })} />
      {stale && <StaleAlert />}
      {isConflict && <Conflict theirs={newest} onTheirs={edit.discard} onMine={edit.keepMine} />}
      <fieldset className={classes.columns} disabled={!known.editable}>
        <MaskCanvas
          isEditable={known.editable}
          camera={camera}
          drawing={drawing}
          change={change}
          theirs={isConflict ? newest.masks : undefined}
          box={now?.moving ? now.box : null}
        />
        <div className={classes.side}>
          <Card title={motion.masks.title} lead={motion.masks.lead}>
            <MaskList drawing={drawing} change={change} problems={problems.masks} />
          </Card>
          <DetectionCard
            camera={camera}
            isEditable={known.editable}
            detection={edit.detection}
            onChange={(change) => dispatch({ type: 'detection', change })}
            problem={problems.sensitivity}
            now={now}
          />
        </div>
        {(known.editable || hasChanges) && <SaveBar edit={edit} />}
      </fieldset>
    </>
  )
}

function SaveBar({ edit }: { edit: ReturnType<typeof useMotionEdit> }) {
  const { drawing, problems, error, hasChanges, isOvertaken, isPending, save, discard } = edit
  const texts = useTexts('config-problems', 'motion')
  const { motion } = texts
  return (
    <div className={classes.save}>
      {!isOvertaken && (
        <FormProblem
          of={problems.whole}
          error={error}
          others={problems.others?.map((problem) => ({ ...problem, message: problemText(problem, texts) })) ?? []}
          othersTitle={motion.others}
        />
      )}
      <Group>
        <Button loading={isPending} disabled={!hasChanges || isOvertaken || drawing.begun !== undefined} onClick={save}>
          {motion.save}
        </Button>
        {hasChanges && !isOvertaken && !isPending && (
          <Button variant="subtle" onClick={discard}>
            {motion.discard}
          </Button>
        )}
      </Group>
    </div>
  )
}
