"""Thresholds of the scorer: every figure by which a video is explained and judged.

Those that are ``measured`` come from true videos: ``python -m tools.measure_video_thresholds``
writes them. Those of ``search`` change how long is looked, and hardly what is found. All others are
definitions of what is wrong, or of how much counts.
"""

from dataclasses import dataclass

from bridge.video.measured_thresholds import MEASURED

__all__ = ["LIMITS", "Thresholds"]


@dataclass(frozen=True, slots=True)
class Thresholds:
    """Thresholds, with their units.

    Attributes:
        thin_line [share]: of the pixels around one that a line covers: rims differ a little.
        free_cost [pixels]: cost of a pixel that noise, codecs and rims may have.
        far_colors [levels]: distances at which a pixel is not explained at all: in a clear video,
            and in others.
        counted_lightness [share]: of a difference in lightness that counts, in a clear video, and
            in others: shadows and lights of others fall otherwise.
        spread_factor [factor]: of the spread of a pixel by which it may be farther off.
        clearest_frames [share]: of the frames that are clearer than those that count: others may be
            broken.
        clear_distances [levels]: between pixels, but for a twentieth of them: of a clear
            video, and of others.
        calibration_ridge [share]: of the pixels by which a calibration is held to no change.
        calibration_outliers [levels, search]: beyond which colours take no part in each round of a
            calibration.
        calibration_samples [pixels, search]: that are enough for a calibration, more or less.
        other_light [levels]: that a grey differs in another light.
        alike_pixels [share]: of the pixels that have to be alike, for a picture to tell of light.
        same_light [levels, measured]: by which most pixels differ, at most, in the same light.
        kept_light [levels, share]: by which pixels differ, at most, between pictures of a video in
            the same light, and of how many.
        same_colors [levels]: by which most vivid pixels differ, at most, in the same light.
        least_saturation [share]: of a film's that a video has, at least.
        vivid_levels [levels]: between the channels of a vivid pixel, at least.
        vivid_samples [pixels]: that are vivid, for them to tell of light.
        ground_levels [levels]: by which the ground, in any light, may look otherwise.
        unseen_cost [pixels]: cost of a pixel that shows what the film never does.
        usual_frames [share]: of the frames that leave less of a body unexplained than is usual: in
            the look of the film, in which much may be wrong for long, and in others.
        usual_share [share, measured]: of a body's pixels, at most, that may stay unexplained
            throughout a video.
        ground_pixels [pixels, measured]: of the ground, or of a body that never moves, that have to
            stay unexplained.
        least_pixels [pixels, measured]: that have to stay unexplained of a body, and that a change
            has to explain.
        least_share [share, measured]: of the pixels that show a body that have to stay unexplained,
            if that is less than some of its rim.
        least_root [root, measured]: pixels that have to stay unexplained for each one of the root
            of those that show a body.
        caution [factor]: of the pixels that have to be unexplained where the look was adapted:
            sides that the first frame does not show may look otherwise than thought.
        least_fps [frames/s]: of a video, for a step to be told from a leap: a slideshow shows whole
            steps in one frame.
        least_unit [pixels]: to a unit in a video's own pictures, for anything in it to be judged.
        side_ridge [pixels]: of a side that count as much as the wish to change nothing.
        side_share [share]: of its pixels that count as much as that, too.
        side_outliers [levels, search]: beyond which a pixel takes no part in the second fit of a
            side.
        blurs [pixels, search]: deviations by which a video may be less sharp than the film.
        other_look [share, measured]: of the pixels of the ground, of a body, or of shadows on the
            ground, that look otherwise in another look.
        other_look_pixels [pixels]: that a body has, at least, for such a share.
        turned_shadows [factor]: by which shadows look more otherwise than all else if they fall
            elsewhere.
        same_picture [pixels]: by which pictures of a film differ that are the same.
        brightest [levels]: from which a channel may have been brighter than a video can show.
        shutter_moments [count, search]: of a frame whose mean is shown.
        shutter_scales [factor, search]: of the time for which a shutter is open, tried at last.
        smeared_pixels [pixels]: unexplained of a frame, or of the fastest ones in the mean, below
            which neither mixed frames nor an open shutter are looked for.
        most_mixed [share]: of another frame that a mixed one may have.
        mixed_factor [factor]: by which a frame has to be explained better as a mixed one.
        detail_scales [pixels]: deviations between which details are looked for.
        plain_detail [levels]: up to which details of the film are none.
        least_contrast [share, measured]: of the contrast of the film's details that has to be left
            for anything to be seen.
        least_brightness [share]: of the film's light that has to be left for anything to be seen.
        most_noise [share, measured]: of that contrast by which pictures that should be the same may
            differ.
        least_vividness [share, measured]: of the colours of vivid pixels that has to be left in
            their places, for pieces are told by their colours.
        plain_share [share]: of a card's pixels that are of one colour.
        still_factor [factor]: by which a moved camera, an open shutter, or light that falls off has
            to explain a video better.
        least_shading [share]: by which light falls off over a picture that is not even.
        camera_edges [levels, pixels]: of an edge, and of edges that are enough to tell of a camera.
        moving_levels [levels]: by which pixels differ where anything moves.
        tried_pictures [count, search]: pictures that are tried for a camera or a shutter at first.
        moved_pixels [pixels]: unexplained in a frame, in the mean, below which no camera is looked
            for.
        camera_blur [pixels, search]: edge of the filter that pictures pass before a camera is
            looked for.
        most_zoom [share]: by which a camera may zoom.
        most_turn [degrees]: by which a camera may roll.
        lost_turn [degrees]: from which it can hardly be followed.
        most_shear [share]: by which a map of pixels may differ from a zoom and a roll.
        beam [count, search]: positions in the film that are kept.
        haste [factor]: how many times as fast as the film a video may go: a frame may be missing.
        near_time [seconds]: around a position in which the film may be as fast as there.
        leap_cost [pixels]: that a leap in the film costs.
        far_leap [factor]: of that, for a leap far from what the time and the film's speed allow.
        nearly_over [units]: before the end of a motion from which no way leads back.
        around_time [count, search]: positions around the same time that are always compared.
        usual_speed [units per second]: that bodies go at most, at the usual speed.
        fine_step [units, search]: that a body goes from a pose of a refined course to the next, at
            most.
        hardly_any [share]: of a motion, at most, that is hardly anything.
        most_fine [count, search]: poses for each of the course that was refined, at most.
        pose_leap_costs [units]: cost of a leap within a step, and out of it, as a piece that is so
            far off in a frame.
        pose_costs [units]: that a piece can be off, and the share that those cost that it may be
            off.
        pose_leaps [count, search]: positions that a leap may lead to, about.
        pose_wait [frames]: by which a course may always be ahead or behind.
        same_pose [units]: by which a body is elsewhere in a composed film.
        lasting_frames [frames]: for which anything has to be wrong.
        moved_body [units]: by which an action has to move a body.
        step_slack [units]: before its end at which a step is over.
        most_actions [count, search]: actions that are looked through in a state.
        weighed_sets [count, search]: sets of bodies whose motions are weighed: those of which most
            is unexplained.
        weighed_pictures [count, search]: pictures against which the ends of actions are weighed.
        fork_time [seconds, search]: after a fork that are looked at, at most.
        alike_gain [share]: of the pixels that an action explains that another one has to explain to
            be tried, too.
        change_share [share]: of the pixels that a branch leaves unexplained that changes of single
            bodies may leave at most to be believed instead.
        branch_share [share]: of what the film leaves unexplained of whole pictures without their
            shadows that a branch may leave at most.
        doubted_cost [share]: by which pixels count in alignment that are within doubt.
        unknown_cost [pixels]: cost in alignment of a pixel whose look is not known: about that of
            one that is composed right.
        least_known [share]: of the pixels that show bodies whose look is known, for a frame of a
            branch to be judged.
        least_light [share]: of the light of a body in a composed picture that a shadow leaves.
        tried_ends [count, search]: ends of actions of which films are composed: those that explain
            most of any picture. Of each picture the best one is added.
        most_branches [count, search]: branches of a video, at most.
        tried_cuts [count, search]: actions that end where the film passes by: those at whose
            end it rests longest.
        fork_frames [frames, search]: before a fork from which a video is followed anew.
        arrived [units]: within which a piece is where an action leads.
        rest_motion [units]: that a piece at rest may go in some frames.
        tried_tracks [count, search]: actions that are recorded, of those that lead to where pieces
            are soonest.
        most_track_branches [count, search]: branches of tracks, at most.
        bridged_frames [frames]: between unexplained ones that are looked at, too.
        shifts [units, search]: along the axes by which a body is moved at first.
        pose_steps [units, degrees, search]: by which poses are refined.
        refined_poses [count, search]: poses that are refined.
        pose_costs_off [pixels]: that a pose has to explain more for each unit and for each degree
            that it is off.
        depth_cost [pixels]: that a pose has to explain more for each unit that it is farther from
            the camera.
        astray_cost [pixels]: that another size has to explain more for each unit that the body goes
            besides.
        unseen_rank [pixels]: that a pose counts less among others for each pixel of a side that is
            shown nowhere.
        far_larger [factor]: by which a body is far longer than it was.
        worth_of_more [factor]: of what a body explains that is doubled or far longer, among others.
        mostly_longer [factor]: by which one direction of a body has to grow more than the others.
        worth_of_longer [factor]: of what such a body explains, among others.
        double_distance [units]: by which another one of a body is beside it.
        scales [factor, search]: of sizes that are tried at first.
        least_scale [share]: by which a size has to differ to be another one.
        scale_steps [share, units, search]: by which sizes are refined, with the ways by which such
            a body is moved.
        followed_gain [share]: of what a change explained that it has to explain in the next frame.
        doubtful_share [share]: of the pixels that stay unexplained where changes of the frame
            before are in doubt.
        better_share [share]: of these that may stay unexplained by others, if those are to be
            taken.
        worse_share [share]: of the pixels that a change of a body has to explain: if so many more
            are left, more changes are looked for.
        better_rank [share]: of how good others are, below which these are replaced by them.
        most_patience [frames, search]: in doubt, at most, until all is looked at anew.
        most_changes [count, search]: changes in a frame, beyond which nothing is explained by more.
        most_suspects [count, search]: bodies of each sort that are looked at in one go: those with
            most unexplained pixels.
        unlike_cost [pixels, search]: cost above which a pixel is looked at.
        sampled_pixels [pixels, search]: that are looked at for likeness.
        common_color [share]: of a body that has a colour of which it shows much.
        near_color [levels]: within which pixels look like a body, summed over channels.
        seen_elsewhere [share]: of what its absence explains that a moved body has to explain where
            it is.
        alphas [share, search]: of the ground behind that another one of a body may cover.
        pose_error [units]: by which a body may be farther on than the film's speed allows: how
            exact poses are.
        ground_share [share, measured]: of a picture that has to be unexplained for its ground to
            have changed.
        track_errors [units]: deviations of positions across and along the line of sight.
        hidden_pixels [pixels]: of a piece below which nothing is known of it.
        episode_gap [frames]: between two changes of a body that are one episode.
        minor_double [share]: the same for one more of a body: what another change leaves
            unexplained may look like one.
        minor_episode [share]: of the pixels of a larger episode below which one at the same time is
            a part of it.
        depth [units]: by which a body has to be in another one.
        aside [units]: off the lines of the lattice.
        turn [degrees]: by which a body has to be turned.
        off [units]: by which a body has to be off its place.
        mostly [share]: of the frames of an episode in which something has to be so.
        same_place [units]: within which a body is where another one was.
        far_zoom [share]: by which a whole scene is another size even where much is unexplained, if
            its picture is level, for a while.
        level_roll [degrees]: by which a picture that is level is turned at most.
        far_zoom_time [seconds]: for which that has to be so.
        relief [share]: of the unexplained pixels that a change has to explain.
        deformed_time [seconds]: for which a body has to have a shape, or a thing has to be seen,
            that no change explains.
        deformed_share [share]: of the unexplained pixels of all pieces that have to be its.
        deformed_off [units]: by which it may seem to be off its place then.
        scale [share]: by which a body has to be larger or smaller.
        double_area [faces]: of a cell that have to be seen of another one of a body, or of what is
            no body.
        wholly_unlike [pixels]: cost of the pixels around one above which it shows that.
        slow_factor [factor]: by which the first step of a leap is larger than its next ones.
        like_color [levels]: summed over channels, within which colours are one piece's.
        zoom [share, measured]: by which a whole scene may be larger or smaller than at first, as
            cameras make it.
        another_scene [share]: of the pieces that have to be wrong at once, with the ground, for
            another scene.
        scene_relief [share]: of the unexplained pixels of another scene that changes may explain.
        leaps_apart [seconds]: between two leaps that have one cause.
        early_near [units]: within which a body is where a step has it.
        early_frames [frames]: after the first of a change in which it shows whether a body moves.
        early_sampled [frames, search]: that are looked at for the order of steps.
        step_seen [share]: of the frames of a step that have to be explained.
        start_off [units]: by which pieces may be elsewhere at the start than the rules say.
        sure [deviations]: by which a piece may be elsewhere than its track says.
        track_off [units]: by which the corners of a piece that has moved are off their places, in
            the mean.
        track_turn [degrees]: by which a piece is turned that has changed its place.
        track_shares [shares, faces]: of pixels that look like a piece, of another one of it, and of
            the ground.
        track_speed [units per second, seconds]: that any piece may go, and around a frame in which
            it may be as fast.
        split [units]: between the halves of a piece in two.
        most_undecided [share]: of the pieces that may be undecided in a frame that is decided.
    """

    # Pixels and colours.
    thin_line: float = 0.3
    free_cost: float = 0.2
    far_colors: tuple[float, float] = (25.0, 45.0)
    counted_lightness: tuple[float, float] = (1.0, 0.55)
    spread_factor: float = 4.0
    clearest_frames: float = 0.3
    clear_distances: tuple[float, float] = (3.1, 5.6)
    calibration_ridge: float = 0.002
    calibration_outliers: tuple[float, ...] = (25.0, 20.0, 15.0)
    calibration_samples: int = 20_000
    other_light: float = 12.0
    alike_pixels: float = 0.5
    same_light: float = MEASURED["same_light"].value
    kept_light: tuple[float, float] = (1.0, 0.25)
    same_colors: float = 8.0
    least_saturation: float = 0.5
    vivid_levels: int = 60
    vivid_samples: int = 50
    ground_levels: float = 25.0
    unseen_cost: float = 0.12
    usual_frames: tuple[float, float] = (0.1, 0.5)
    usual_share: float = MEASURED["usual_share"].value
    ground_pixels: float = MEASURED["ground_pixels"].value
    least_pixels: float = MEASURED["least_pixels"].value
    least_share: float = MEASURED["least_share"].value
    least_root: float = MEASURED["least_root"].value
    caution: float = 2.5
    # Looks of videos.
    least_fps: float = 6.0
    least_unit: float = 10.0
    side_ridge: float = 30.0
    side_share: float = 0.01
    side_outliers: float = 30.0
    blurs: tuple[float, ...] = (0.0, 0.7, 1.2, 2.0, 3.0)
    other_look: float = MEASURED["other_look"].value
    other_look_pixels: float = 200.0
    turned_shadows: float = 2.0
    same_picture: float = 0.05
    brightest: int = 250
    shutter_moments: int = 5
    shutter_scales: tuple[float, ...] = (0.5, 0.7, 0.85, 1.2)
    smeared_pixels: float = 5.0
    most_mixed: float = 0.6
    mixed_factor: float = 3.0
    detail_scales: tuple[float, float] = (2.0, 6.0)
    plain_detail: float = 1.0
    least_contrast: float = MEASURED["least_contrast"].value
    least_brightness: float = 0.25
    most_noise: float = MEASURED["most_noise"].value
    least_vividness: float = MEASURED["least_vividness"].value
    plain_share: float = 0.85
    # Cameras.
    still_factor: float = 1.15
    least_shading: float = 0.03
    camera_edges: tuple[float, float] = (8, 150)
    moving_levels: int = 10
    tried_pictures: int = 8
    moved_pixels: float = 30.0
    camera_blur: int = 5
    most_zoom: float = 0.15
    most_turn: float = 20.0
    lost_turn: float = 18.0
    most_shear: float = 0.03
    # Places in a film or a course.
    beam: int = 24
    haste: float = 2.2
    near_time: float = 0.2
    leap_cost: float = 150.0
    far_leap: float = 4.0
    nearly_over: float = 0.5
    around_time: int = 2
    usual_speed: float = 12.0
    fine_step: float = 0.12
    hardly_any: float = 0.3
    most_fine: int = 8
    pose_leap_costs: tuple[float, float] = (0.3, 3.0)
    pose_costs: tuple[float, float] = (3.0, 0.1)
    pose_leaps: int = 1500
    pose_wait: float = 2.0
    # Lawful branches.
    same_pose: float = 1e-3
    lasting_frames: int = 3
    moved_body: float = 0.1
    step_slack: float = 0.4
    most_actions: int = 3000
    weighed_sets: int = 12
    weighed_pictures: int = 10
    fork_time: float = 9.0
    alike_gain: float = 0.85
    change_share: float = 0.5
    branch_share: float = 0.5
    doubted_cost: float = 0.1
    unknown_cost: float = 0.05
    least_known: float = 0.5
    least_light: float = 0.6
    tried_ends: int = 8
    most_branches: int = 30
    tried_cuts: int = 2
    fork_frames: int = 4
    arrived: float = 0.4
    rest_motion: float = 0.08
    tried_tracks: int = 4
    most_track_branches: int = 100
    # Changes of single bodies.
    bridged_frames: int = 2
    shifts: tuple[float, ...] = (0.5, 1.0, 2.0, 3.0)
    pose_steps: tuple[tuple[float, float], ...] = ((0.4, 16.0), (0.2, 8.0), (0.1, 4.0), (0.05, 2.0))
    refined_poses: int = 3
    pose_costs_off: tuple[float, float] = (2.0, 0.3)
    depth_cost: float = 6.0
    astray_cost: float = 60.0
    unseen_rank: float = 0.05
    far_larger: float = 2.0
    worth_of_more: float = 0.6
    mostly_longer: float = 5.0
    worth_of_longer: float = 0.95
    double_distance: float = 0.75
    scales: tuple[float, ...] = (0.25, 0.5, 0.75, 0.87, 1.15, 1.3, 1.7)
    least_scale: float = 0.015
    scale_steps: tuple[tuple[float, float], ...] = (
        (0.15, 0.6),
        (0.08, 0.4),
        (0.08, 0.2),
        (0.06, 0.2),
        (0.04, 0.1),
        (0.02, 0.05),
        (0.01, 0.03),
    )
    followed_gain: float = 0.7
    doubtful_share: float = 0.3
    better_share: float = 0.7
    worse_share: float = 0.25
    better_rank: float = 0.97
    most_patience: int = 8
    most_changes: int = 5
    most_suspects: int = 2
    unlike_cost: float = 0.15
    sampled_pixels: int = 1500
    common_color: float = 0.02
    near_color: float = 60.0
    seen_elsewhere: float = 0.2
    alphas: tuple[float, ...] = (1.0, 0.7, 0.4)
    # Judgement.
    pose_error: float = 0.45
    ground_share: float = MEASURED["ground_share"].value
    track_errors: tuple[float, float] = (0.05, 0.15)
    hidden_pixels: float = 20.0
    episode_gap: int = 3
    minor_double: float = 0.8
    minor_episode: float = 0.25
    depth: float = 0.35
    aside: float = 0.25
    turn: float = 10.0
    off: float = 0.3
    mostly: float = 0.7
    same_place: float = 0.75
    far_zoom: float = 0.07
    level_roll: float = 1.7
    far_zoom_time: float = 0.5
    relief: float = 0.45
    deformed_time: float = 0.5
    deformed_share: float = 0.5
    deformed_off: float = 1.0
    scale: float = 0.03
    double_area: float = 0.6
    wholly_unlike: float = 0.5
    slow_factor: float = 3.0
    like_color: float = 70.0
    zoom: float = MEASURED["zoom"].value
    another_scene: float = 0.5
    scene_relief: float = 0.7
    leaps_apart: float = 2.0
    early_near: float = 0.3
    early_frames: int = 2
    early_sampled: int = 12
    step_seen: float = 0.5
    start_off: float = 1.5
    # Tracks of others.
    sure: float = 3.0
    track_off: float = 0.2
    track_turn: float = 8.0
    track_shares: tuple[float, ...] = (0.6, 0.6, 0.05)
    track_speed: tuple[float, float] = (6.0, 0.2)
    split: float = 0.5
    most_undecided: float = 0.5


LIMITS = Thresholds()
