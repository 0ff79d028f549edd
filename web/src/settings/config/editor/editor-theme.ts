import { HighlightStyle, syntaxHighlighting } from '@codemirror/language'
import { EditorView } from '@codemirror/view'
import { tags } from '@lezer/highlight'

/** Uses the page's colors, including dark mode; they are defined in Editor.module.css. */
const view = EditorView.theme({
  '&': { color: 'var(--mantine-color-text)', backgroundColor: 'var(--surface)', fontSize: '14px', height: '100%' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--mantine-font-family-monospace)', lineHeight: '1.6' },
  '.cm-content': { caretColor: 'var(--mantine-color-text)', padding: '12px 0' },
  '.cm-cursor, .cm-dropCursor': { borderLeftColor: 'var(--mantine-color-text)', borderLeftWidth: '2px' },
  '.cm-gutters': {
    backgroundColor: 'var(--surface)',
    color: 'var(--mantine-color-dimmed)',
    border: 'none',
    borderInlineEnd: '1px solid var(--line)',
  },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'var(--editor-line)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    background: 'var(--editor-selection)',
  },
  '.cm-content ::selection': { backgroundColor: 'var(--editor-selection)' },
  '.cm-selectionMatch': { backgroundColor: 'var(--editor-match)' },
  '.cm-matchingBracket, &.cm-focused .cm-matchingBracket': { backgroundColor: 'var(--editor-match)' },
  '.cm-tooltip, .cm-panels': {
    backgroundColor: 'var(--surface)',
    color: 'var(--mantine-color-text)',
    border: '1px solid var(--line)',
    borderRadius: '10px',
    boxShadow: 'var(--shadow)',
  },
  '.cm-tooltip-autocomplete > ul': { borderRadius: '9px' },
  '.cm-panels': { borderRadius: '0', boxShadow: 'none' },
  '.cm-panel.cm-search': { padding: '8px 32px 8px 10px' },
  '.cm-textfield, .cm-button': {
    backgroundColor: 'var(--surface)',
    backgroundImage: 'none',
    border: '1px solid var(--mantine-color-dimmed)',
    borderRadius: '6px',
    color: 'inherit',
    padding: '3px 8px',
  },
  '.cm-searchMatch': { backgroundColor: 'var(--editor-match)' },
  '.cm-searchMatch-selected': { outline: '2px solid var(--mantine-color-anchor)' },
  '.cm-tooltip-autocomplete > ul > li': { padding: '3px 10px' },
  '.cm-tooltip-autocomplete > ul > li[aria-selected]': {
    backgroundColor: 'var(--mantine-color-gate-7)',
    color: 'var(--mantine-color-white)',
  },
  '.cm-tooltip.cm-completionInfo': { padding: '0', maxWidth: '360px' },
  '.cm-manual': { padding: '10px 14px', maxWidth: '420px', fontSize: '14px', lineHeight: '1.5', whiteSpace: 'normal' },
  '.cm-manual p + p': { marginTop: '6px' },
  '.cm-manual-fact': { color: 'var(--mantine-color-dimmed)' },
  '.cm-diagnostic': { padding: '6px 12px', borderInlineStart: '4px solid' },
  '.cm-diagnostic-error': { borderColor: 'var(--mantine-color-error)' },
  '.cm-diagnostic-warning': { borderColor: 'var(--editor-warning)' },
  '.cm-lintRange-error': { backgroundImage: 'none', textDecoration: 'underline wavy var(--mantine-color-error)' },
  '.cm-lintRange-warning': { backgroundImage: 'none', textDecoration: 'underline wavy var(--editor-warning)' },
  '.cm-deletedChunk, &.cm-merge-a .cm-changedLine': { backgroundColor: 'var(--editor-gone)' },
  '&.cm-merge-b .cm-changedLine, .cm-inlineChangedLine': { backgroundColor: 'var(--editor-new)' },
  '&.cm-merge-a .cm-changedText, .cm-deletedChunk .cm-deletedText': {
    background: 'var(--editor-gone-text)',
    textDecoration: 'line-through',
  },
  '&.cm-merge-b .cm-changedText': { background: 'var(--editor-new-text)' },
  // In one column the buttons go above the chunk that they act on, not over it.
  '.cm-deletedChunk .cm-chunkButtons': { position: 'static', padding: '4px 0' },
  '.cm-deletedChunk button, .cm-merge-revert button': {
    border: '1px solid var(--mantine-color-dimmed)',
    borderRadius: '6px',
    background: 'var(--surface)',
    color: 'var(--mantine-color-text)',
  },
  '.cm-collapsedLines:before, .cm-collapsedLines:after': { content: '"⋯"' },
  '.cm-collapsedLines': {
    background: 'var(--editor-line)',
    color: 'var(--mantine-color-dimmed)',
    padding: '4px 12px',
  },
})

const words = HighlightStyle.define([
  { tag: tags.propertyName, color: 'var(--editor-key)' },
  { tag: tags.string, color: 'var(--editor-string)' },
  { tag: tags.comment, color: 'var(--editor-comment)', fontStyle: 'italic' },
  { tag: [tags.labelName, tags.typeName, tags.meta, tags.keyword], color: 'var(--editor-string)' },
])

export const editorTheme = [view, syntaxHighlighting(words)]
