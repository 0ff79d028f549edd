import { ActionIcon, Badge, Button, Modal, Text, Tooltip, useDirection } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import {
  IconChevronLeft,
  IconChevronRight,
  IconDownload,
  IconEye,
  IconEyeCheck,
  IconHistory,
  IconPlayerPauseFilled,
  IconPlayerPlayFilled,
  IconReload,
  IconTrash,
  type TablerIcon,
} from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { cameraPath } from '../cameras/queries.ts'
import { useKeys } from '../ui/useKeys.ts'
import { useTitles } from '../cameras/useTitles.ts'
import { historyLink } from '../playback/history-link.ts'
import { RecordingVideo } from '../playback/RecordingVideo.tsx'
import type { RecordingState } from '../playback/recording-player.ts'
import { useCan } from '../session/session.ts'
import { useFocusBack } from '../ui/useFocusBack.ts'
import { percent } from '../lib/format-number.ts'
import { ApiError } from '../api/api.ts'
import type { ReviewItemResponse } from '../../../server/src/api-types.ts'
import { urlOf } from '../lib/base.ts'
import { messageOf } from '../api/failure.ts'
import { useLocale, useTexts } from '../i18n/texts.ts'
import { formatDuration, moment, timeOfDay } from '../lib/format-time.ts'
import { DeleteItems } from './DeleteItems.tsx'
import classes from './ItemPlayer.module.css'
import { reviewItem } from './queries.ts'
import { useMarking } from './useMarking.tsx'

/** Seconds shown before the item's start and after its end. */
const around = 4
/** Number of remaining items at which more are fetched. */
const left = 5

interface ItemPlayerProps {
  readonly id: string
  /** The list that contains the item, newest first. */
  readonly items: readonly ReviewItemResponse[]
  /** Goes to another item; undefined closes the player. */
  readonly onGo: (id: string | undefined) => void
  readonly onNearEnd: () => void
}

/** Plays items in place, one after the other. */
export function ItemPlayer({ id, items, onGo, onNearEnd }: ItemPlayerProps) {
  const texts = useTexts('review')
  const { review } = texts
  const narrow = useMediaQuery('(max-width: 700px)', undefined, { getInitialValueInEffect: false })
  const at = items.findIndex((item) => item.id === id)
  const query = useQuery({ ...reviewItem(id), enabled: at < 0 })
  const found = items[at] ?? query.data
  // An item that leaves the list, for example with its camera, stays open: its player says why playback stops.
  const [last, setLast] = useState(found)
  if (found && found !== last) setLast(found)
  const item = found ?? (last?.id === id ? last : undefined)
  const title = useTitles()
  const locale = useLocale()
  const [newer, older] = [at > 0 ? items[at - 1] : undefined, at >= 0 ? items[at + 1] : undefined]
  const close = () => onGo(undefined)
  useFocusBack()

  const nearEnd = at >= items.length - left
  const askMore = useEffectEvent(onNearEnd)
  useEffect(() => {
    if (nearEnd) askMore()
  }, [nearEnd])

  const missing = query.error instanceof ApiError && query.error.failure.status === 404
  return (
    <Modal
      opened
      onClose={close}
      title={item ? [title(item.camera), moment(item.start * 1000, locale)].join(texts.partsSeparator) : review.play}
      size="min(1200px, 94vw, 125dvh)"
      centered
      radius={narrow ? 0 : 'lg'}
      fullScreen={narrow}
      closeButtonProps={{ 'aria-label': texts.close }}
    >
      {item ? (
        <Playing
          item={item}
          onNewer={newer && (() => onGo(newer.id))}
          onOlder={older && (() => onGo(older.id))}
          onGone={() => onGo((older ?? newer)?.id)}
        />
      ) : query.isError ? (
        <Text role="alert">{missing ? review.notFound : messageOf(query.error, texts)}</Text>
      ) : (
        <div className={classes.stage} />
      )}
    </Modal>
  )
}

interface PlayingProps {
  readonly item: ReviewItemResponse
  readonly onNewer: (() => void) | undefined
  readonly onOlder: (() => void) | undefined
  readonly onGone: () => void
}

function Playing({ item, onNewer, onOlder, onGone }: PlayingProps) {
  const { review, partsSeparator } = useTexts('review')
  const locale = useLocale()
  const { dir } = useDirection()
  const title = useTitles()(item.camera)
  const { mark } = useMarking()
  const mayDelete = useCan('recordings.delete')
  const [deleting, setDeleting] = useState(false)
  const [run, setRun] = useState(() => runOf(item))
  // The next item starts in the same player, so that the focused control keeps the focus.
  if (run.id !== item.id) setRun(runOf(item))
  const { playing, over, ended, at } = run
  const to = item.end === null ? run.until : item.end + around
  const marked = useRef(item.seen ? item.id : undefined)

  const see = () => {
    if (marked.current === item.id) return
    marked.current = item.id
    if (!item.seen) void mark([item], true)
  }
  const onState = ({ kind }: RecordingState) => {
    if (kind === 'ended') setRun((now) => ({ ...now, ended: true }))
    if (kind === 'shown') see()
  }
  const onTime = (at: number) => {
    setRun((now) => ({ ...now, at }))
    see()
  }
  const toggle = () =>
    setRun((now) => ({
      ...now,
      over: false,
      playing: now.over || !now.playing,
      ...(now.over && { place: { at: item.start - around } }),
    }))
  const turn = () => {
    marked.current = item.id
    void mark([item], !item.seen)
  }
  const [left, right] = dir === 'rtl' ? [onOlder, onNewer] : [onNewer, onOlder]
  const stage = useRef<HTMLDivElement>(null)
  useKeys({ ArrowLeft: () => left?.(), ArrowRight: () => right?.(), s: turn }, stage)

  const clip = urlOf(`${cameraPath(item.camera)}/clip.mp4?start=${item.start - around}&end=${to}`).href
  const download = (
    <Button component="a" href={clip} download variant="default" leftSection={<IconDownload size={18} aria-hidden />}>
      {review.download}
    </Button>
  )
  const facts = [
    item.end === null ? review.inProgress : formatDuration(Math.max(1, Math.round(item.end - item.start)), locale),
    review.moved({ percent: percent(item.data.motion, locale) }),
  ]

  return (
    <>
      <div ref={stage} className={classes.stage} data-playing={item.id}>
        <RecordingVideo
          camera={item.camera}
          label={[title, timeOfDay(item.start, locale)].join(partsSeparator)}
          from={item.start - around}
          to={to}
          place={run.place}
          playing={playing}
          onTime={onTime}
          onState={onState}
          onEnd={() => setRun((now) => ({ ...now, playing: false, over: true }))}
          unplayable={download}
        />
      </div>
      {!ended && (
        <>
          <div className={classes.track} aria-hidden>
            <div
              className={classes.moved}
              style={{
                insetInlineStart: `${share(item.start, item, to)}%`,
                width: `${share(item.end ?? to, item, to) - share(item.start, item, to)}%`,
              }}
            />
            {at !== undefined && (
              <div className={classes.head} style={{ insetInlineStart: `${share(at, item, to)}%` }} />
            )}
          </div>
          <div className={classes.controls}>
            <Control icon={IconChevronLeft} label={review.previous} act={onNewer} turns />
            <Control
              icon={over ? IconReload : playing ? IconPlayerPauseFilled : IconPlayerPlayFilled}
              label={over ? review.again : playing ? review.pause : review.play}
              act={toggle}
              first
            />
            <Control icon={IconChevronRight} label={review.next} act={onOlder} turns />
            <span className={classes.facts}>
              <Badge variant="light" tt="none" color={item.severity === 'alert' ? 'red' : 'gate'}>
                {review.severities[item.severity]}
              </Badge>
              {at !== undefined && <span className={classes.time}>{timeOfDay(at, locale)}</span>}
              <span>{facts.join(partsSeparator)}</span>
            </span>
            <span className={classes.rest}>
              <Control
                icon={item.seen ? IconEyeCheck : IconEye}
                label={item.seen ? review.markUnseen : review.markSeen}
                act={turn}
              />
              <Tooltip label={review.download}>
                <ActionIcon
                  component="a"
                  href={clip}
                  download
                  size={44}
                  variant="subtle"
                  color="gray"
                  aria-label={review.download}
                >
                  <IconDownload size={20} aria-hidden />
                </ActionIcon>
              </Tooltip>
              {mayDelete && <Control icon={IconTrash} label={review.delete} act={() => setDeleting(true)} />}
              <Button
                renderRoot={(props) => <Link {...props} {...historyLink(item.camera, item.start)} />}
                variant="default"
                leftSection={<IconHistory size={18} aria-hidden />}
              >
                {review.inHistory}
              </Button>
            </span>
          </div>
        </>
      )}
      <DeleteItems items={[item]} opened={deleting} onClose={() => setDeleting(false)} onDeleted={onGone} />
    </>
  )
}

/** Playback state of one item. */
interface Run {
  readonly id: string
  /** Where to seek. */
  readonly place: { readonly at: number }
  /** Unix seconds; for an item that is still open, the latest known end. */
  readonly until: number
  readonly playing: boolean
  /** Played to the end. */
  readonly over: boolean
  /** The user can no longer see the item. */
  readonly ended: boolean
  /** The current playback time. */
  readonly at: number | undefined
}

const runOf = ({ id, start, end }: ReviewItemResponse): Run => ({
  id,
  place: { at: start - around },
  until: (end ?? Date.now() / 1000) + around,
  playing: true,
  over: false,
  ended: false,
  at: undefined,
})

/** Position of a time within the played range, percent. */
const share = (at: number, { start }: ReviewItemResponse, to: number): number =>
  Math.min(100, Math.max(0, ((at - start + around) / (to - start + around)) * 100))

interface ControlProps {
  readonly icon: TablerIcon
  readonly label: string
  readonly act: (() => void) | undefined
  /** The icon is mirrored in right-to-left languages. */
  readonly turns?: boolean
  /** Receives the focus first. */
  readonly first?: boolean
}

function Control({ icon: Icon, label, act, turns = false, first = false }: ControlProps) {
  return (
    <Tooltip label={label}>
      <ActionIcon
        size={44}
        variant="subtle"
        color="gray"
        aria-label={label}
        aria-disabled={!act}
        {...(!act && { 'data-disabled': true })}
        {...(first && { 'data-autofocus': true })}
        onClick={() => act?.()}
      >
        <Icon size={20} aria-hidden className={turns ? classes.turns : undefined} />
      </ActionIcon>
    </Tooltip>
  )
}
