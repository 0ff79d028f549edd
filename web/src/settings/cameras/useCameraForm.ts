import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { ApiError, sendJson } from '../../api/api.ts'
import { messageOf, problemText } from '../../api/failure.ts'
import { changeSettings, isOvertaken, sameJson, settingsOf, type KnownSettings } from '../../cameras/camera-settings.ts'
import { useTexts, type Texts } from '../../i18n/texts.ts'
import { notifySuccess } from '../../ui/feedback/notify.ts'
import { useForm } from '../../ui/forms/useForm.ts'
import { nameFor } from './name-for.ts'
import { NotAskedYet, requireAsked } from './removed-camera.ts'

export interface CameraFormProps {
  /** The camera to change; undefined for a new one. */
  readonly name: string | undefined
  readonly known: KnownSettings
  readonly onClose: () => void
  readonly onSaved: () => Promise<void>
}

interface CameraValues {
  /** undefined: the stored source is kept. */
  readonly source: string | undefined
  readonly title: string
  readonly name: string
  readonly enabled: boolean
  /** The name for which inheriting was chosen; a different name asks again. */
  readonly inherits: string | undefined
  readonly keep_demo: boolean
}

function sendCamera(before: string | undefined, camera: CameraValues, ifMatch: string): Promise<Response> {
  const { source, name, enabled, inherits, keep_demo } = camera
  const body = {
    name,
    title: camera.title.trim() || null,
    enabled,
    ...(name !== before && { inherit: inherits === name }),
  }
  if (before === undefined) {
    return sendJson('POST /api/cameras', {}, { ...body, source: source?.trim() ?? '', keep_demo }, { ifMatch })
  }
  const change = { ...body, ...(source !== undefined && { source: source.trim() }) }
  return sendJson('PUT /api/cameras/:camera', { camera: before }, change, { ifMatch })
}

/** The service's problems with a camera: at the fields of the form, and all others. */
function reportedIn(error: Error, name: string) {
  const all = error instanceof ApiError ? (error.failure.problems ?? []) : []
  const own = `cameras.${name}`
  const paths = { name: own, source: `${own}.source`, title: `${own}.title`, enabled: `${own}.enabled` }
  const found = Object.entries(paths).flatMap(([field, path]) => {
    const problem = all.find((each) => each.field === path)
    return problem ? [[field, problem] as const] : []
  })
  const others = all.filter(({ field }) => !Object.values(paths).includes(field))
  return { atFields: Object.fromEntries(found), others }
}

/** What the form says about a rejected camera. */
function problemsWith(error: Error, { name }: CameraValues, texts: Texts<'cameras' | 'config-problems'>) {
  const { form: words } = texts.cameras
  if (error instanceof NotAskedYet) return { name: words.used.title({ name }) }
  if (isOvertaken(error)) return { whole: words.changedMeanwhile }
  const { reason } = error instanceof ApiError ? error.failure : {}
  if (reason?.code === 'camera-name-taken') return { name: words.nameTaken }
  const { atFields, others } = reportedIn(error, name)
  const shown = Object.entries(atFields).map(([field, problem]) => [field, problemText(problem, texts)])
  return shown.length + others.length > 0 ? Object.fromEntries(shown) : { whole: messageOf(error, texts) }
}

/** The form that adds or changes a camera. */
export function useCameraForm({ name: before, known, onClose, onSaved }: CameraFormProps) {
  const texts = useTexts('cameras', 'config-problems')
  const { form: words } = texts.cameras
  // The settings when the form was opened, whatever others have changed since.
  const [opened] = useState(known)
  const was = before === undefined ? undefined : settingsOf(opened, before)
  const masked = was?.source_masked === true ? was.source : undefined
  const nameProblem = ({ name, keep_demo }: CameraValues): string | undefined => {
    if (name === '') return words.nameMissing
    if (!/^[A-Za-z0-9_-]{1,64}$/.test(name)) return words.nameWrong
    const taken = name !== before && settingsOf(known, name) && (!known.demo || keep_demo)
    return taken ? words.nameTaken : undefined
  }
  const queries = useQueryClient()
  /** The name whose earlier camera the form has shown. */
  const shownFor = useRef<string>(undefined)
  const form = useForm<CameraValues, void>({
    initialValues: {
      source: masked === undefined ? (was?.source ?? '') : undefined,
      title: was?.title ?? '',
      name: before ?? '',
      enabled: was?.enabled ?? true,
      inherits: undefined,
      keep_demo: before !== undefined,
    },
    check: (camera) => ({
      source: camera.source?.trim() === '' ? words.sourceMissing : undefined,
      name: nameProblem(camera),
    }),
    send: async (camera) => {
      const isOwn = camera.name === before || settingsOf(known, camera.name) !== undefined
      if (!isOwn) await requireAsked(queries, camera.name, shownFor.current)
      const isUnchanged = (now: KnownSettings): boolean =>
        now.demo === opened.demo && (before === undefined || sameJson(settingsOf(now, before), was))
      await changeSettings(opened, isUnchanged, (ifMatch) => sendCamera(before, camera, ifMatch))
      await onSaved()
    },
    onSuccess: (_sent, camera) => {
      const title = camera.title.trim() || camera.name
      notifySuccess(before === undefined ? words.added({ title }) : words.saved({ title }))
      onClose()
    },
    problemsIn: (error, camera) => problemsWith(error, camera, texts),
  })
  const { error, sent, problems, values, setFieldValue } = form
  return {
    ...form,
    setAsked: (name: string): void => {
      shownFor.current = name
    },
    /** Sets the title, and of a new camera the name too, unless someone chose another. */
    changeTitle: (title: string): void => {
      if (before === undefined && values.name === nameFor(values.title)) setFieldValue('name', nameFor(title))
      setFieldValue('title', title)
    },
    /** The camera's title so far. */
    title: was?.title || before,
    /** The stored source, whose password the browser isn't shown; undefined if it has none. */
    masked,
    /** Problems at fields that the form doesn't have. */
    others: error && sent && problems.whole === undefined ? reportedIn(error, sent.name).others : [],
  }
}
