/** State that the browser remembers for the next visit. Other open windows do not follow. */
import { useLocalStorage } from '@mantine/hooks'

export const useStored = <T>(key: string, defaultValue: T) =>
  useLocalStorage<T>({ key, defaultValue, getInitialValueInEffect: false, sync: false })
