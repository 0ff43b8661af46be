"""Whether a collection is being run, by whom, and what its run waits for."""

from __future__ import annotations

from dataclasses import dataclass

from scythe.collect.views import Overview, RunState, is_held
from scythe.web.server.jobs import Jobs, JobState, Progress
from scythe.web.server.tasks import WAITING


@dataclass(frozen=True)
class RunStatus:
    """Whether a collection is being run, and by whom."""

    job: Progress | None
    """The job of this server that runs it, or the last one that did."""
    elsewhere: str = ""
    """How far another process has come with it, where one runs it."""
    interrupted: bool = False
    """Whether a run was started and no process continues it."""

    @property
    def is_running(self) -> bool:
        """Whether it changes by itself."""
        return bool(self.elsewhere) or (self.job is not None and self.job.is_running)

    @property
    def waits_for(self) -> str:
        """What its run waits for; empty where it waits for nothing."""
        if self.job is None or not self.job.is_running:
            return ""
        if self.job.state is JobState.WAITING:
            return "Enough other jobs are running. This run starts when one has ended."
        steps = self.job.steps
        if steps and steps[-1].name == WAITING:
            return (
                "Another collection of the same site is being run. "
                "This run starts when that one has ended."
            )
        return ""


def run_key(name: str) -> str:
    """Return the key of the job that runs a collection."""
    return f"run/{name}"


def run_status(jobs: Jobs, overview: Overview) -> RunStatus:
    """Return whether a collection is being run."""
    job, run = jobs.of(run_key(overview.row.name)), overview.last_run
    if job is not None and job.is_running:
        return RunStatus(job)
    if run is None or run.state != RunState.RUNNING:
        return RunStatus(job)
    if is_held(overview.row):
        return RunStatus(job, elsewhere=run.stage or "starting")
    return RunStatus(job, interrupted=True)
