#!/usr/bin/env bash
# A real Slurm of one node on this machine, to try the slurm profile on: slurm.sh up | down | status
#
# For a throw-away machine: it runs as root and writes /etc/slurm/slurm.conf (the one place that the
# executor plugin, which clears every SLURM_* variable, lets Slurm find it). It refuses to replace a
# configuration that it did not write. Needs the packages slurm-wlm and munge.
set -euo pipefail

state=/tmp/seggrid-slurm
conf=/etc/slurm/slurm.conf
mark="# One-node Slurm of seggrid's tests; tests/cluster/slurm.sh writes it."
munge_pid=/run/munge/munged.pid

die() {
    echo "slurm.sh: $*" >&2
    exit 1
}

alive() { [ -s "$1" ] && kill -0 "$(cat "$1")" 2>/dev/null; }

write_conf() {
    local host memory
    host=$(hostname -s)
    # Slurm refuses a node that has less than it promises: leave a margin below the real memory.
    memory=$(awk '/^MemTotal:/ {print int($2 / 1024 * 0.9)}' /proc/meminfo)
    # No cgroups, no accounting: neither works on a machine without systemd or a database. The plugin
    # then has to ask squeue, which forgets a finished job after MinJobAge seconds.
    cat >"$conf" <<CONF
$mark
ClusterName=seggrid
SlurmctldHost=$host(127.0.0.1)
SlurmUser=root
AuthType=auth/munge
MpiDefault=none
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
SchedulerType=sched/backfill
SchedulerParameters=sched_interval=2,bf_interval=2
AccountingStorageType=accounting_storage/none
JobAcctGatherType=jobacct_gather/none
ReturnToService=2
MinJobAge=900
KillWait=2
StateSaveLocation=$state/ctld
SlurmdSpoolDir=$state/node
SlurmctldPidFile=$state/slurmctld.pid
SlurmdPidFile=$state/slurmd.pid
SlurmctldLogFile=$state/slurmctld.log
SlurmdLogFile=$state/slurmd.log
NodeName=$host NodeAddr=127.0.0.1 CPUs=$(nproc) RealMemory=$memory State=UNKNOWN
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP
CONF
}

up() {
    [ "$(id -u)" = 0 ] || die "has to run as root"
    for program in munged slurmctld slurmd; do
        command -v "$program" >/dev/null || die "no $program: install slurm-wlm and munge"
    done
    if [ -e "$conf" ] && ! grep -qxF "$mark" "$conf"; then
        die "$conf is there and not ours: will not touch a machine that has a Slurm"
    fi
    if alive "$state/slurmctld.pid" && alive "$state/slurmd.pid"; then
        sinfo
        return
    fi
    mkdir -p "$state"/{ctld,node} /etc/slurm
    write_conf

    if [ ! -s /etc/munge/munge.key ]; then
        (umask 377 && head -c 128 /dev/urandom >/etc/munge/munge.key)
        chown munge: /etc/munge/munge.key
    fi
    install -d -o munge -g munge -m 755 /run/munge
    alive "$munge_pid" || runuser -u munge -- "$(command -v munged)"
    slurmctld
    slurmd
    for _ in $(seq 240); do
        if [ "$(sinfo --noheader --format=%t 2>/dev/null)" = idle ]; then
            sinfo
            return
        fi
        sleep 0.5
    done
    tail -n 20 "$state"/*.log >&2
    die "the node did not come up within 120 s"
}

down() {
    # By process number alone: another Slurm's daemons carry the same names.
    for pid_file in "$state/slurmd.pid" "$state/slurmctld.pid"; do
        if alive "$pid_file"; then
            local pid
            pid=$(cat "$pid_file")
            kill "$pid"
            for _ in $(seq 50); do
                kill -0 "$pid" 2>/dev/null || break
                sleep 0.1
            done
        fi
    done
    if [ -e "$conf" ] && grep -qxF "$mark" "$conf"; then
        if alive "$munge_pid"; then kill "$(cat "$munge_pid")"; fi
        rm -f "$conf"
    fi
    rm -rf "$state"
}

case "${1:-}" in
up) up ;;
down) down ;;
status) sinfo && squeue ;;
*) die "usage: slurm.sh up|down|status" ;;
esac
