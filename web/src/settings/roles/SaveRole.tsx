import { Alert, Button, Group, Text } from '@mantine/core'
import { useEffect, useRef, useState, type RefObject } from 'react'
import { useTexts } from '../../i18n/texts.ts'
import type { RoleKeys } from '../../users/role-keys.ts'
import { RoleChanges, type RoleChangesProps } from './RoleChanges.tsx'
import classes from './RoleFields.module.css'
import { useRoleWords } from './useRoleWords.ts'

interface SaveRoleProps extends RoleChangesProps {
  readonly isPending: boolean
  /** Why saving failed. */
  readonly problem: string | undefined
  readonly isChanged: boolean
  /** What the role gives now, if someone else changed it. */
  readonly theirs: RoleKeys | undefined
  /** Starts again from what the role gives now. */
  readonly begin: () => void
}

/**
 * The end of a role's form: who gains and loses what, and the buttons. While they are below the window, a button leads
 * there: nothing is saved before the user saw what it changes.
 */
export function SaveRole({ isPending, problem, isChanged, theirs, begin, ...changes }: SaveRoleProps) {
  const { roles } = useTexts('roles')
  const words = useRoleWords()
  const end = useRef<HTMLDivElement>(null)
  const buttons = useRef<HTMLDivElement>(null)
  const isBelow = useIsBelow(buttons)
  const review = () => {
    end.current?.focus({ preventScroll: true })
    end.current?.scrollIntoView({ block: 'end' })
  }
  return (
    <>
      <div ref={end} tabIndex={-1} className={classes.save}>
        {theirs && isChanged && (
          <Alert role="alert" color="yellow" title={roles.changedTitle}>
            <Text mb="sm">{roles.changedBody({ role: words.role(theirs) })}</Text>
            <Button variant="default" onClick={begin}>
              {roles.loadCurrent}
            </Button>
          </Alert>
        )}
        <RoleChanges {...changes} />
        {problem && (
          <Alert role="alert" color="red">
            {problem}
          </Alert>
        )}
        <Group pos="relative">
          <div ref={buttons} className={classes.aboveMenu} />
          <Button type="submit" loading={isPending} disabled={!isChanged || theirs !== undefined}>
            {roles.save}
          </Button>
          {isChanged && !theirs && (
            <Button variant="subtle" onClick={begin}>
              {roles.discard}
            </Button>
          )}
        </Group>
      </div>
      {isChanged && isBelow && (
        <div className={classes.review} data-pinned>
          {/* For pointers: the Tab key leads to the end itself, and the button would be gone by then. */}
          <Button tabIndex={-1} onClick={review}>
            {roles.review}
          </Button>
        </div>
      )}
    </>
  )
}

/** The share of an element in the window that counts as all of it: positions are fractions of pixels. */
const visible = 0.9

/** Whether the user has to scroll down to see all of an element. */
function useIsBelow(ref: RefObject<Element | null>): boolean {
  const [isBelow, setBelow] = useState(false)
  useEffect(() => {
    if (!ref.current) return undefined
    const observer = new IntersectionObserver(
      (entries) => {
        const entry = entries.at(-1)
        if (entry) setBelow(entry.intersectionRatio < visible && entry.boundingClientRect.top > 0)
      },
      { threshold: visible },
    )
    observer.observe(ref.current)
    return () => observer.disconnect()
  }, [ref])
  return isBelow
}
