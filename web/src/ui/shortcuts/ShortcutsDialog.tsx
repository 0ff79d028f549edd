import { Switch } from '@mantine/core'
import { useState } from 'react'
import { useTexts } from '../../i18n/texts.ts'
import { labelFor } from '../../lib/label-for.ts'
import { Dialog } from '../dialogs/Dialog.tsx'
import { characterKeysAct, letCharacterKeysAct } from './character-keys.ts'
import classes from './ShortcutsDialog.module.css'

/** Alternative keys, as labeled on a keyboard, and their action. */
export type Shortcut = readonly [keys: readonly string[], does: string]

interface ShortcutsDialogProps {
  readonly of: readonly Shortcut[]
  readonly onClose: () => void
}

/** Lists the keyboard shortcuts of a page. */
export function ShortcutsDialog({ of, onClose }: ShortcutsDialogProps) {
  const { shortcuts } = useTexts('shortcuts')
  const [charactersAct, setCharactersAct] = useState(characterKeysAct)
  return (
    <Dialog opened onClose={onClose} title={shortcuts.title} size={560} centered radius="lg">
      <dl className={classes.list}>
        {of.map(([keys, does]) => (
          <div key={does} className={classes.row}>
            <dt>{does}</dt>
            <dd className={classes.keys}>
              {keys.map((key) => (
                <kbd key={key}>
                  {key
                    .split(' ')
                    .map((part) => labelFor(shortcuts.keys, part))
                    .join(' ')}
                </kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
      <Switch
        className={classes.characters}
        label={shortcuts.characters}
        description={shortcuts.charactersHint}
        checked={charactersAct}
        onChange={({ currentTarget: { checked } }) => {
          letCharacterKeysAct(checked)
          setCharactersAct(checked)
        }}
      />
    </Dialog>
  )
}
