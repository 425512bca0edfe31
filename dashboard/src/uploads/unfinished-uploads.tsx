/** The unfinished uploads in the upload menu: choosing the same file again continues its upload. */
import { Menu, Text } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { nameOf } from '../../../src/contract/paths/paths.ts'
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

/** Maximum number of entries. */
const SHOWN = 5

export function UnfinishedUploads() {
  const { w, format } = useTexts(words)
  const refresh = useRefresh()
  const { items } = useObservable(uploadsState)
  const { data } = useGet('tus')
  // Running uploads of this window are not listed here: the list of uploads shows them.
  const running = new Set(items.filter(({ stage }) => stage === 'running').map(({ job }) => job.target))
  const left = data?.uploads.filter(({ path, eigen }) => !(eigen && path !== null && running.has(path))) ?? []
  if (left.length === 0) return null
  const remove = async ({ id }: UnfinishedUpload) => {
    await cancelUpload(addressOf(`tus/${id}`))
    await refresh('tus')
  }
  const share = ({ angekommen, laenge }: UnfinishedUpload) => format.percent(angekommen / laenge)
  return (
    <>
      <Menu.Divider />
      <Menu.Label>{w.unfinished(format.number(left.length))}</Menu.Label>
      {left.slice(0, SHOWN).map(upload => {
        const label = w.unfinishedOne(upload.path === null ? '?' : nameOf(upload.path), share(upload))
        return upload.eigen ? (
          <MenuEntry
            key={upload.id}
            icon={IconX}
            label={w.cancelUnfinished(label)}
            onClick={() => void remove(upload)}
          />
        ) : (
          <Text key={upload.id} size="sm" px="sm" py={4}>
            {w.unfinishedOf(label, upload.wer)}
          </Text>
        )
      })}
      {left.some(({ eigen }) => eigen) && (
        <Text size="xs" c="dimmed" px="sm" py={4}>
          {w.unfinishedHint}
        </Text>
      )}
    </>
  )
}
