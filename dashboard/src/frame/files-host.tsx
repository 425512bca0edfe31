/**
 * Takes the picture sizes and the host for files (`FILES_HOST`) from the settings in the session answer, and
 * makes both known to all pages. The base address of the host is empty if there is none. Shows a warning if
 * this browser cannot reach the host.
 */
import { Button, Group } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { filesHostAddress } from '../../../src/contract/paths/addresses.ts'
import { useGet } from '../api/use-get.ts'
import { useWords } from '../language/language.tsx'
import { pictureSizes } from '../state/picture-sizes.ts'
import { filesHostBase } from '../ui/files/content.ts'
import { Warning } from '../ui/warning.tsx'
import { words } from './words.ts'

export function FilesHostWarning() {
  const w = useWords(words)
  const serviceSettings = useGet('ich').data?.dienst
  const host = serviceSettings?.FILES_HOST
  const baseAddress = serviceSettings && (host ? filesHostAddress(serviceSettings.PUBLIC_URL, host) : '')
  useEffect(() => {
    if (baseAddress !== undefined) filesHostBase.set(baseAddress)
  }, [baseAddress])
  const sizes = serviceSettings?.BILDGROESSEN
  useEffect(() => {
    if (sizes) pictureSizes.set(sizes)
  }, [sizes])
  const { data: isReachable = true } = useQuery({
    queryKey: ['files-host', baseAddress],
    queryFn: () => isHostReachable(baseAddress!),
    enabled: Boolean(baseAddress),
  })
  if (isReachable) return null
  return (
    <Warning>
      <Group justify="space-between">
        {w.filesHostSilent(host ?? '')}
        {/* Reloading only the pictures would not help: the page may contact only the hosts in the
           Content-Security-Policy header with which it was loaded. */}
        <Button size="xs" variant="default" onClick={() => location.reload()}>
          {w.reload}
        </Button>
      </Group>
    </Warning>
  )
}

/**
 * Whether the host answers `/health`, as every host of the service does. An answer of another origin cannot
 * be read here, but its arrival is enough.
 */
const isHostReachable = (baseAddress: string) =>
  fetch(`${baseAddress}/health`, { mode: 'no-cors', cache: 'no-store' }).then(
    () => true,
    () => false,
  )
