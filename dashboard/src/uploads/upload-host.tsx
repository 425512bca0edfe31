/**
 * The part of the frame around every page that handles uploads: dropping, pasting, the dialogs, the list, and
 * the warning before the window is closed.
 */
import { useWindowEvent } from '@mantine/hooks'
import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react'
import { FILE_QUERIES, useRefresh } from '../api/use-refresh.ts'
import { useObservable } from '../state/observable.ts'
import { mayAddFiles } from '../state/rights.ts'
import { PageBoundary } from '../ui/page-boundary.tsx'
import { useCloseGuard } from '../ui/use-leave-guard.ts'
import { isDialogOpen } from './drop.ts'
import { DropOverlay } from './drop-overlay.tsx'
import { candidatesFromClipboard } from './plan/candidates.ts'
import { addressDialogFolder, pendingIntake, upload, uploadsState } from './uploads.ts'
import { useUploadFolder } from './use-upload-folder.ts'

const Dialogs = lazy(() => import('./plan/dialogs.tsx'))
const UploadPanel = lazy(() => import('./panel/upload-panel.tsx'))

export function UploadHost() {
  const { activeCount, items } = useObservable(uploadsState)
  const intake = useObservable(pendingIntake)
  const folder = useObservable(addressDialogFolder)
  useCloseGuard(activeCount > 0)
  usePaste()
  useRefreshAfterUploads()
  return (
    <>
      <DropOverlay />
      <LoadOnDemand isNeeded={intake !== null || folder !== null}>
        <Dialogs />
      </LoadOnDemand>
      <LoadOnDemand isNeeded={items.length > 0}>
        <UploadPanel />
      </LoadOnDemand>
    </>
  )
}

/**
 * Renders nothing until `isNeeded` is true for the first time, so that the code of its content is loaded
 * late.
 */
function LoadOnDemand({ isNeeded, children }: { isNeeded: boolean; children: ReactNode }) {
  const [wasNeeded, setWasNeeded] = useState(false)
  useEffect(() => {
    if (isNeeded) setWasNeeded(true)
  }, [isNeeded])
  return (
    wasNeeded && (
      <PageBoundary>
        <Suspense fallback={null}>{children}</Suspense>
      </PageBoundary>
    )
  )
}

function usePaste(): void {
  const folder = useUploadFolder()
  useWindowEvent('paste', event => {
    const { target, clipboardData } = event
    if (!clipboardData || clipboardData.files.length === 0 || !mayAddFiles(folder)) return
    // Files pasted into a field or an open dialog are not meant as an upload.
    if (target instanceof Element && target.closest('input, textarea, [contenteditable]')) return
    if (isDialogOpen()) return
    event.preventDefault()
    upload(candidatesFromClipboard(clipboardData, new Date()), folder)
  })
}

/**
 * Refetches what pages show about files, once all uploads have ended and at least one was stored. The service
 * also reports new files by events, but the event stream may have been interrupted.
 */
function useRefreshAfterUploads(): void {
  const refresh = useRefresh()
  const { activeCount, storedCount } = useObservable(uploadsState)
  const haveEnded = activeCount === 0 && storedCount > 0
  useEffect(() => {
    if (haveEnded) void refresh(...FILE_QUERIES, 'tus')
  }, [haveEnded, refresh])
}
