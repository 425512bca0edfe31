/**
 * An error boundary: if a page cannot be loaded or rendered, the frame around it stays. Usually the code of
 * the page no longer exists, because the service was updated while the window was open; then reloading helps.
 */
import { Button } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { Component, type ReactNode } from 'react'
import { useWords } from '../language/language.tsx'
import { EmptyState } from './empty-state.tsx'
import { useRemoveShell } from './shell.ts'
import { words } from './words.ts'

export class PageBoundary extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false }

  static getDerivedStateFromError() {
    return { failed: true }
  }

  override render() {
    return this.state.failed ? <FailedPage /> : this.props.children
  }
}

function FailedPage() {
  const w = useWords(words)
  useRemoveShell()
  return (
    <EmptyState headingLevel={1} icon={IconRefresh} title={w.pageFailed}>
      <Button onClick={() => location.reload()}>{w.reload}</Button>
    </EmptyState>
  )
}
