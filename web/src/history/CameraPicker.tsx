import { Button, Checkbox, NativeSelect, Stack } from '@mantine/core'
import { IconChevronDown, IconDeviceCctv } from '@tabler/icons-react'
import { useState } from 'react'
import { cameraChoices, titleOf } from '../cameras/queries.ts'
import type { Camera } from '../../../server/src/api-types.ts'
import { useTexts } from '../i18n/texts.ts'
import { Popover } from '../ui/popovers/Popover.tsx'
import classes from './HistoryPage.module.css'
import { maxCameras } from './history-search.ts'

interface CameraPickerProps {
  /** The cameras the user can see. */
  readonly cameras: readonly Camera[]
  readonly chosen: readonly string[]
  /** Only one camera at a time, for phones. */
  readonly single: boolean
  readonly onChoose: (names: readonly string[]) => void
}

/** Chooses the cameras to show. With several, all are chosen before the first is fetched. */
export function CameraPicker({ cameras, chosen, single, onChoose }: CameraPickerProps) {
  const texts = useTexts('history')
  const { history } = texts
  const [open, setOpen] = useState(false)
  const [marked, setMarked] = useState(chosen)
  const titles = cameras.filter(({ name }) => chosen.includes(name)).map(titleOf)

  if (single) {
    return (
      <NativeSelect
        className={classes.camera}
        aria-label={history.camera}
        value={chosen[0] ?? ''}
        data={cameraChoices(cameras)}
        onChange={({ currentTarget: { value } }) => onChoose([value])}
        size="md"
      />
    )
  }
  const turn = (next: boolean) => {
    setOpen(next)
    if (next) setMarked(chosen)
    else if (marked.join() !== chosen.join()) onChoose(marked)
  }
  const toggle = (name: string, on: boolean) =>
    setMarked(on ? [...marked, name] : marked.filter((each) => each !== name))
  const label = titles.length === 1 ? titles[0] : history.cameras({ count: chosen.length })
  return (
    <Popover
      opened={open}
      onChange={turn}
      position="bottom-start"
      label={history.camera}
      className={classes.choices}
      button={
        <Button
          variant="default"
          h={44}
          leftSection={<IconDeviceCctv size={18} aria-hidden />}
          rightSection={<IconChevronDown size={16} aria-hidden />}
          className={classes.chosen}
          onClick={() => turn(!open)}
          aria-label={texts.label({ what: history.camera }) + label}
        >
          <span className={classes.chosenName}>{label}</span>
        </Button>
      }
    >
      <Stack gap={0}>
        {cameras.map((camera) => (
          <Checkbox
            key={camera.name}
            className={classes.choice}
            label={titleOf(camera)}
            checked={marked.includes(camera.name)}
            disabled={marked.includes(camera.name) ? marked.length === 1 : marked.length >= maxCameras}
            onChange={({ currentTarget: { checked } }) => toggle(camera.name, checked)}
          />
        ))}
      </Stack>
      {cameras.length > 1 && <p className={classes.hint}>{history.max({ max: maxCameras })}</p>}
    </Popover>
  )
}
