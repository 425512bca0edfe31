/** Uploading in the frame: dropping, pasting, questions, the list, and a warning before leaving. */
import { useWindowEvent } from '@mantine/hooks'
import { lazy, Suspense, useEffect, useState } from 'react'
import { SHOWS_FILES, useRefresh } from '../api/use-refresh.ts'
import { PageBoundary } from '../frame/page-boundary.tsx'
import { useObservable } from '../state/observable.ts'
import { mayPutInto } from '../state/rights.ts'
import { useCloseGuard } from '../ui/use-leave-guard.ts'
import { isDialogOpen } from './drop.ts'
import { DropOverlay } from './drop-overlay.tsx'
import { UploadPanel } from './panel/upload-panel.tsx'
import { fromClipboard } from './plan/candidates.ts'
import { addressFolder, pendingIntake, upload, uploadsState } from './uploads.ts'
import { useUploadFolder } from './use-upload-folder.ts'

const Dialogs = lazy(() => import('./plan/dialogs.tsx'))

export function UploadHost() {
  useCloseGuard(useObservable(uploadsState).active > 0)
  usePaste()
  useRefreshAfterUploads()
  return (
    <>
      <DropOverlay />
      <LateDialogs />
      <UploadPanel />
    </>
  )
}

function LateDialogs() {
  const pending = useObservable(pendingIntake)
  const folder = useObservable(addressFolder)
  const areNeeded = pending !== null || folder !== null
  const [wereNeeded, setWereNeeded] = useState(false)
  useEffect(() => {
    if (areNeeded) setWereNeeded(true)
  }, [areNeeded])
  return (
    wereNeeded && (
      <PageBoundary>
        <Suspense fallback={null}>
          <Dialogs />
        </Suspense>
      </PageBoundary>
    )
  )
}

function usePaste(): void {
  const folder = useUploadFolder()
  useWindowEvent('paste', event => {
    const { target, clipboardData } = event
    if (!clipboardData || clipboardData.files.length === 0 || !mayPutInto(folder)) return
    // Files pasted into a field or an open dialog are not meant as an upload.
    if (target instanceof Element && target.closest('input, textarea, [contenteditable]')) return
    if (isDialogOpen()) return
    event.preventDefault()
    upload(fromClipboard(clipboardData, new Date()), folder)
  })
}

/** The service reports new files by event; this is for the end, and for an interrupted stream. */
function useRefreshAfterUploads(): void {
  const refresh = useRefresh()
  const { active, stored } = useObservable(uploadsState)
  const over = active === 0 && stored > 0
  useEffect(() => {
    if (over) void refresh(...SHOWS_FILES)
  }, [over, refresh])
}
