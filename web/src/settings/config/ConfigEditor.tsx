import { Alert, Button, Text } from '@mantine/core'
import { IconAlertTriangle, IconGitMerge } from '@tabler/icons-react'
import { lazy, Suspense, useRef, useState } from 'react'
import { useTexts } from '../../i18n/texts.ts'
import { Loading } from '../../ui/feedback/Loading.tsx'
import { LeaveGuard } from '../../ui/dialogs/LeaveGuard.tsx'
import page from '../Page.module.css'
import { CheckResult } from './CheckResult.tsx'
import { ConfigDialogs, type Dialog } from './ConfigDialogs.tsx'
import type { ConfigText } from './config-file.ts'
import classes from './ConfigPage.module.css'
import type { EditorHandle, Found } from './editor/Editor.tsx'
import { Saved } from './Saved.tsx'
import type { JsonSchema } from './editor/schema.ts'
import { useConfigCheck } from './useConfigCheck.ts'
import { useConfigWork } from './useConfigWork.ts'

/** CodeMirror is large, so it is loaded for this page only. */
const Editor = lazy(() => import('./editor/Editor.tsx'))

interface ConfigEditorProps {
  /** The newest version known. */
  readonly file: ConfigText
  readonly stale: boolean
  readonly schema: JsonSchema
  /** Several instances share the configuration. */
  readonly isShared: boolean
}

const keysId = 'config-keys'

/** Edits the configuration as text, and saves it once the changes were looked at. */
export function ConfigEditor({ file, stale, schema, isShared }: ConfigEditorProps) {
  const { config } = useTexts('config')
  const editor = useRef<EditorHandle>(null)
  const edit = useConfigWork(file)
  const { work, unsaved, isOvertaken, saved } = edit
  const { found, check, cancel } = useConfigCheck(work.base.text)
  const [dialog, setDialog] = useState<Dialog>()
  const label = isShared ? config.title : config.editor
  const review = () => unsaved && setDialog(isOvertaken ? 'conflict' : 'save')
  const type = (text: string) => {
    cancel()
    edit.type(text)
  }
  const goTo = ({ line = 1, column = 1 }: Found) => {
    setDialog(undefined)
    // The closing dialog moves the focus first.
    setTimeout(() => editor.current?.goTo(line, column), 250)
  }

  return (
    <>
      <EditorBar unsaved={unsaved} stale={stale} onDiscard={() => setDialog('discard')} onReview={review} />
      {unsaved && isOvertaken && (
        <Alert color="yellow" icon={<IconAlertTriangle />} role="alert" title={config.changedMeanwhile}>
          <Button
            variant="default"
            size="sm"
            leftSection={<IconGitMerge size={16} aria-hidden />}
            onClick={() => setDialog('conflict')}
          >
            {config.compare}
          </Button>
        </Alert>
      )}
      {work.followed && !unsaved && (
        <Alert color="gate" role="status">
          {config.changed}
        </Alert>
      )}
      {saved && <Saved saved={saved} isShared={isShared} onClose={edit.clearSaved} />}
      <Suspense fallback={<Loading />}>
        <Editor
          key={work.round}
          ref={editor}
          text={work.first}
          schema={schema}
          label={label}
          describedBy={keysId}
          check={check}
          onChange={type}
          onSave={review}
        />
      </Suspense>
      <div className={classes.keys}>
        <Text size="sm" c="dimmed" id={keysId}>
          {config.keys}
        </Text>
        <Text size="sm" c="dimmed">
          {config.secrets}
        </Text>
      </div>
      <CheckResult found={found} onGo={goTo} />
      <ConfigDialogs file={file} isShared={isShared} edit={edit} dialog={dialog} onDialog={setDialog} onGo={goTo} />
      <LeaveGuard unsaved={unsaved} of={label} />
    </>
  )
}

interface EditorBarProps {
  readonly unsaved: boolean
  readonly stale: boolean
  readonly onDiscard: () => void
  readonly onReview: () => void
}

function EditorBar({ unsaved, stale, onDiscard, onReview }: EditorBarProps) {
  const { config, failure } = useTexts('config')
  return (
    <div className={classes.bar}>
      <div className={classes.state} role="status">
        <span className={classes.dot} data-unsaved={unsaved || undefined} aria-hidden />
        <Text size="sm">{unsaved ? config.unsaved : config.unchanged}</Text>
        {stale && (
          <Text size="sm" c="dimmed">
            {failure.stale}
          </Text>
        )}
      </div>
      <div className={page.pair}>
        <Button variant="default" disabled={!unsaved} onClick={onDiscard}>
          {config.discard}
        </Button>
        <Button disabled={!unsaved} onClick={onReview}>
          {config.review}
        </Button>
      </div>
    </div>
  )
}
