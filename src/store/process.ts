// Whether a process of this machine is still the one that left its mark.
import { readFileSync } from 'node:fs';

/** A process: `started` is its start time where the system tells it (Linux), since numbers are given again. */
export interface ProcessMark {
  readonly pid: number;
  readonly started: string | null;
}

interface ProcessState {
  readonly letter: string;
  readonly started: string;
}

/** proc(5): the fields after the command, which stands in parentheses and may hold anything. */
function stateOf(pid: number): ProcessState | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [letter, started] = [fields[0], fields[19]];
    return letter === undefined || started === undefined ? undefined : { letter, started };
  } catch {
    return undefined;
  }
}

/** The mark of this process. */
export function ownMark(): ProcessMark {
  return { pid: process.pid, started: stateOf(process.pid)?.started ?? null };
}

/** False only when it is certain: no such process, a zombie, or another one under the same number. */
export function isAlive({ pid, started }: ProcessMark): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ESRCH') return false;
  }
  const state = stateOf(pid);
  if (state === undefined) return true;
  return state.letter !== 'Z' && state.letter !== 'X' && (started === null || started === state.started);
}
