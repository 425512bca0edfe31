/**
 * The unfinished uploads in the upload menu. Choosing the same file for the same folder again continues an
 * upload of the signed-in account. Operators also see the uploads of others here.
 */
import { Menu, Text } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { nameOf } from '../../../src/contract/paths/path-parts.ts'
import type { UnfinishedUpload } from '../../../src/contract/upload/tus.ts'
import { addressOf } from '../api/client.ts'
import { useGet } from '../api/use-get.ts'
import { useRefresh } from '../api/use-refresh.ts'
import { useTexts } from '../language/language.tsx'
import { useObservable } from '../state/observable.ts'
import { MenuEntry } from '../ui/buttons.tsx'
import { cancelUpload } from './queue/send-in-pieces.ts'
import { uploadsState } from './uploads.ts'
import { words } from './words.ts'

/** Maximum number of unfinished uploads that the menu lists. */
const MAX_SHOWN_UPLOADS = 5

export function UnfinishedUploads() {
  const { w, format } = useTexts(words)
  const refresh = useRefresh()
  const { items } = useObservable(uploadsState)
  const { data } = useGet('tus')
  // Uploads of this window that are being sent are left out: the list of uploads shows them.
  const runningTargets = new Set(
    items.filter(({ stage }) => stage === 'running').map(({ job }) => job.target),
  )
  const otherUploads =
    data?.uploads.filter(({ path, eigen }) => !(eigen && path !== null && runningTargets.has(path))) ?? []
  if (otherUploads.length === 0) return null
  const discard = async ({ id }: UnfinishedUpload) => {
    await cancelUpload(addressOf(`tus/${id}`))
    await refresh('tus')
  }
  const formatReceivedShare = ({ angekommen, laenge }: UnfinishedUpload) =>
    format.percent(angekommen / laenge)
  return (
    <>
      <Menu.Divider />
      <Menu.Label>{w.unfinished(format.number(otherUploads.length))}</Menu.Label>
      {otherUploads.slice(0, MAX_SHOWN_UPLOADS).map(upload => {
        const label = w.unfinishedOne(
          upload.path === null ? '?' : nameOf(upload.path),
          formatReceivedShare(upload),
        )
        return upload.eigen ? (
          <MenuEntry
            key={upload.id}
            icon={IconX}
            label={w.cancelUnfinished(label)}
            onClick={() => void discard(upload)}
          />
        ) : (
          <Text key={upload.id} size="sm" px="sm" py={4}>
            {w.unfinishedOf(label, upload.wer)}
          </Text>
        )
      })}
      {otherUploads.some(({ eigen }) => eigen) && (
        <Text size="xs" c="dimmed" px="sm" py={4}>
          {w.unfinishedHint}
        </Text>
      )}
    </>
  )
}
