import { Loader } from '@mantine/core'
import type { TablerIcon } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import classes from './SharedLinkPage.module.css'

interface StageNoticeProps {
  readonly icon: TablerIcon
  readonly title: string
  /** What the viewer can do about it. */
  readonly children?: ReactNode
}

/** Shown over the video: why it doesn't play. */
export function StageNotice({ icon: Icon, title, children }: StageNoticeProps) {
  return (
    <div className={classes.notice} role="status">
      <Icon size={26} stroke={1.5} aria-hidden />
      <strong>{title}</strong>
      {children}
    </div>
  )
}

export function StageLoader({ label }: { label: string }) {
  return (
    <div className={classes.waiting} role="status">
      <Loader color="white" size="sm" type="oval" aria-hidden />
      <span>{label}</span>
    </div>
  )
}
